/** Where something stands in a text, from 1. */
export interface Position { line: number, column: number }

/** @param offset in bytes of UTF-8, as Cedar counts */
export const positionAt = (text: string, offset: number): Position => {
  const before = Buffer.from(text).subarray(0, offset).toString()
  const lines = before.split('\n')
  return { line: lines.length, column: [...lines.at(-1) ?? ''].length + 1 }
}

/** @returns the offset in bytes of each part, which follow one another in the text */
export const offsetsOf = (text: string, parts: readonly string[]): number[] => {
  let from = 0
  return parts.map((part) => {
    const at = Math.max(text.indexOf(part, from), from)
    from = at + part.length
    return Buffer.byteLength(text.slice(0, at))
  })
}
