/** @returns the words of a text, by which quotations are compared */
export const keyOf = (text: string): string =>
  (text.normalize('NFKC').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')

/** Markup within a sentence leaves blanks, so blanks do not tell one statement from another. */
export const statementKey = (text: string): string => text.normalize('NFKC').replace(/\s+/g, '')
