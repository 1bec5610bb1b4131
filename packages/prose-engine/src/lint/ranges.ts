/** Offsets in a text: the first, and the one behind the last. */
export type Range = [number, number]

export const isWordPart = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_]/u.test(char)

/** @returns the text in lower case, of the same length, so that offsets stay valid */
export const lower = (text: string): string => {
  const all = text.toLowerCase()
  return all.length === text.length ? all : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** @returns where a term stands, as whole words unless `within` */
export const findTerm = (text: string, term: string, within = false): Range[] => {
  const ranges: Range[] = []
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length)) {
    const end = at + term.length
    if (within || (!isWordPart(text[at - 1]) && !isWordPart(text[end]))) ranges.push([at, end])
  }
  return ranges
}
