import type { Line } from './lines.js'

/** A page's number as it stands in a footer or header. */
const pageMark = /\[page \d+\]|\bpage \d+(?: of \d+)?\b|\bseite \d+(?: von \d+)?\b/i
const rule = /^[ \t]*[-_=*]{10,}[ \t]*$/
const maxWidth = 200
/** How many lines above and below a page's number may repeat with it. */
const near = 6

const keyOf = ({ text }: Line): string => text.slice(0, maxWidth).replace(/\d+/g, '#').replace(/[ \t]+/g, ' ').trim()

/** @returns the numbers of the lines with text around the given one, at most some lines away */
const around = (lines: readonly Line[], at: number): number[] => {
  const found: number[] = []
  for (let next = Math.max(0, at - near); next <= Math.min(lines.length - 1, at + near); next++) {
    if (next !== at && lines[next]?.isBlank === false) found.push(next)
  }
  return found
}

/**
 * Finds what pages repeat: lines with a page's number, and lines beside them that occur again but for their numbers.
 * @returns the numbers of these lines
 */
export const furnitureOf = (lines: readonly Line[]): ReadonlySet<number> => {
  const marked = lines.flatMap((line, at) => line.text.length <= maxWidth && pageMark.test(line.text) ? [at] : [])
  if (marked.length < 2) return new Set()
  const counts = new Map<string, number>()
  const repeated = new Set([...marked, ...marked.flatMap((at) => around(lines, at))])
  for (const at of repeated) {
    const line = lines[at]
    if (line) counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1)
  }
  const isFurniture = (at: number): boolean => {
    const line = lines[at]
    return line !== undefined && (counts.get(keyOf(line)) ?? 0) > 1
  }
  const found = new Set(marked.filter(isFurniture))
  for (const at of [...found].flatMap((one) => around(lines, one))) {
    const { text = '' } = lines[at] ?? {}
    // "RFC 9911    Early Hints    March 2025": what stands in columns beside a page's number, or is ruled off.
    if (rule.test(text) || (/\S {3,}\S/.test(text) && isFurniture(at)) || isHeader(lines, at, found)) found.add(at)
  }
  return found
}

/** A page's header stands alone below the footer of the page before, in columns. */
const isHeader = (lines: readonly Line[], at: number, footers: ReadonlySet<number>): boolean => {
  if (!/\S {5,}\S/.test(lines[at]?.text ?? '') || lines[at + 1]?.isBlank === false) return false
  for (let before = at - 1; before >= Math.max(0, at - near); before--) {
    if (footers.has(before)) return true
    if (lines[before]?.isBlank === false) return false
  }
  return false
}
