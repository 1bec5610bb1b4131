/** @returns the words of a text, by which quotations are compared */
export const keyOf = (text: string): string =>
  (text.normalize('NFKC').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
