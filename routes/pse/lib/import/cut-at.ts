/**
 * Takes a text apart at one mark after the other, so that no part of it is read once for each mark.
 * @returns what stands before the first match and what stands behind it; the text alone where there is none
 */
export const cutAt = (text: string, mark: RegExp): [string, string?] => {
  const found = mark.exec(text)
  return found ? [text.slice(0, found.index), text.slice(found.index + found[0].length)] : [text]
}
