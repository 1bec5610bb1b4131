import type { Schemas } from '../../../api/client'

export type Row = Schemas['ContentComparison']['rows'][number]
type Line = NonNullable<Row['left']>
type Finding = Schemas['ReportFinding']

export interface Piece { text: string, changed: boolean, isFlagged: boolean }

/** @returns a line cut at what changed, and at the findings in it */
export const piecesOf = ({ start, parts }: Line, findings: Finding[]): Piece[] => {
  let at = start
  return parts.flatMap(({ text, changed }) => {
    const [from, to] = [at, at + text.length]
    at = to
    const here = findings.filter((one) => one.start < to && one.end > from)
    const edges = [...new Set([from, to, ...here.flatMap((one) => [one.start, one.end])])]
      .filter((edge) => edge >= from && edge <= to).sort((one, other) => one - other)
    return edges.slice(0, -1).map((edge, index) => {
      const end = edges[index + 1] ?? to
      const isFlagged = here.some((one) => one.start <= edge && one.end >= end)
      return { text: text.slice(edge - from, end - from), changed, isFlagged }
    })
  })
}

/** @returns whether nothing of the row differs */
export const isSame = ({ left, right }: Row): boolean =>
  left !== null && right !== null && [...left.parts, ...right.parts].every(({ changed }) => !changed)

/** Lines that are shown around a change. */
const around = 3

/** @returns the rows, with a number for many that are the same */
export const foldRows = (rows: Row[]): (Row | number)[] => {
  const near = rows.map((_, index) =>
    rows.slice(Math.max(0, index - around), index + around + 1).some((row) => !isSame(row)))
  const folded: (Row | number)[] = []
  for (const [index, row] of rows.entries()) {
    const last = folded.at(-1)
    if (near[index] || rows.length <= 2 * around) folded.push(row)
    else if (typeof last === 'number') folded[folded.length - 1] = last + 1
    else folded.push(1)
  }
  return folded
}
