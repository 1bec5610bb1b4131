/** A line of a text, without its end; offsets are into the text. */
export interface Line { start: number, end: number, text: string, isBlank: boolean }

export const linesOf = (text: string): Line[] => {
  const lines: Line[] = []
  for (let start = 0; start <= text.length;) {
    const next = text.indexOf('\n', start)
    const end = next === -1 ? text.length : next
    const line = text.slice(start, end).replace(/\r$/, '')
    lines.push({ start, end, text: line, isBlank: line.trim() === '' })
    start = end + 1
  }
  return lines
}

/** @returns the columns of white space at a line's start */
export const indentOf = (text: string): number => text.length - text.trimStart().length

/** @returns whether each character of the text is one of the given ones */
export const consistsOf = (text: string, characters: string): boolean => {
  for (const character of text) if (!characters.includes(character)) return false
  return true
}
