import { diffArrays, diffWordsWithSpace } from 'diff'
import type { ComparedFindings, ComparedRows } from '../schemas/comparisons.js'
import type { ContentBody } from '../schemas/text.js'
import type { ReportFinding } from '../schemas/reports.js'
import { align, follow, type Stretch } from './align.js'
import { fieldText } from './field-text.js'

type Row = ComparedRows[number]
type Line = NonNullable<Row['left']>
type Fate = ComparedFindings[number]

/** Beyond these limits the difference is one deletion and one insertion. */
const limits = { timeout: 500, maxEditLength: 20_000 }
const wordLimits = { timeout: 50, maxEditLength: 500 }

const linesOf = (text: string): string[] => text.split(/(?<=\n)/)

const part = (text: string, changed: boolean): Line['parts'] => text === '' ? [] : [{ changed, text }]

/** A line that was replaced by another one: what of it stayed is not marked. */
const pair = (left: string, right: string): [Line['parts'], Line['parts']] => {
  const words = diffWordsWithSpace(left, right, wordLimits)
  if (!words) return [part(left, true), part(right, true)]
  return [
    words.filter(({ added }) => !added).map(({ removed, value }) => ({ changed: removed, text: value })),
    words.filter(({ removed }) => !removed).map(({ added, value }) => ({ changed: added, text: value }))
  ]
}

/** Makes rows of lines, and counts the offsets. */
class Rows {
  readonly rows: Row[] = []
  #left = 0
  #right = 0
  #removed: string[] = []
  #added: string[] = []

  remove (lines: string[]): void { this.#removed.push(...lines) }
  add (lines: string[]): void { this.#added.push(...lines) }

  keep (lines: string[]): void {
    this.close()
    for (const line of lines) this.#push(line, line, [part(line, false), part(line, false)])
  }

  /** Lines that were replaced stand beside each other, in order. */
  close (): void {
    for (let at = 0; at < Math.max(this.#removed.length, this.#added.length); at++) {
      const [left, right] = [this.#removed[at], this.#added[at]]
      this.#push(left, right, left !== undefined && right !== undefined
        ? pair(left, right)
        : [part(left ?? '', true), part(right ?? '', true)])
    }
    this.#removed = []
    this.#added = []
  }

  #push (left: string | undefined, right: string | undefined, [before, after]: [Line['parts'], Line['parts']]): void {
    this.rows.push({
      left: left === undefined ? null : { start: this.#left, parts: before },
      right: right === undefined ? null : { start: this.#right, parts: after }
    })
    this.#left += left?.length ?? 0
    this.#right += right?.length ?? 0
  }
}

const rowsOf = (before: string, after: string): Row[] => {
  const [left, right] = [linesOf(before), linesOf(after)]
  const rows = new Rows()
  const parts = diffArrays(left, right, limits)
  if (!parts) {
    rows.remove(left)
    rows.add(right)
  }
  for (const { removed, added, value } of parts ?? []) {
    if (removed) rows.remove(value)
    else if (added) rows.add(value)
    else rows.keep(value)
  }
  rows.close()
  return rows.rows
}

const aligner = (before: ContentBody, after: ContentBody) => {
  const known = new Map<string, Stretch[]>()
  return (field: string): { from: string, to: string, stretches: Stretch[] } => {
    const [from, to] = [fieldText(before, field) ?? '', fieldText(after, field) ?? '']
    const stretches = known.get(field) ?? align(from, to)
    known.set(field, stretches)
    return { from, to, stretches }
  }
}

const isSameKind = (one: ReportFinding, other: ReportFinding): boolean =>
  one.rule_id === other.rule_id && one.field === other.field

/** Takes the first finding that fits out of the list. */
const take = (left: Set<ReportFinding>, fits: (finding: ReportFinding) => boolean): ReportFinding | null => {
  for (const finding of left) {
    if (!fits(finding)) continue
    left.delete(finding)
    return finding
  }
  return null
}

const order = ['new', 'gone', 'stays'] as const

/** A finding stays where the same rule finds the same passage; else, where it finds the same words of the field. */
const fatesOf = (before: ContentBody, after: ContentBody, old: ReportFinding[], now: ReportFinding[]): Fate[] => {
  const alignField = aligner(before, after)
  const left = new Set(now)
  const fates = old.map((finding): Fate => {
    const { from, to, stretches } = alignField(finding.field)
    const moved = finding.end > finding.start ? follow(from, to, stretches, finding) : undefined
    const found = moved &&
      take(left, (one) => isSameKind(one, finding) && one.start < moved.end && one.end > moved.start)
    return { fate: found ? 'stays' : 'gone', before: finding, after: found ?? null }
  }).map((fate): Fate => {
    const { before: finding } = fate
    if (fate.after || !finding) return fate
    const found = take(left, (one) => isSameKind(one, finding) && one.match === finding.match)
    return found ? { fate: 'stays', before: finding, after: found } : fate
  })
  const fresh = [...left].map((finding): Fate => ({ fate: 'new', before: null, after: finding }))
  return [...fresh, ...fates].toSorted((one, other) => order.indexOf(one.fate) - order.indexOf(other.fate))
}

/** Compares two versions, line beside line, with what became of each finding. */
export const sideBySide = (before: ContentBody, after: ContentBody, old: ReportFinding[], now: ReportFinding[]):
{ rows: ComparedRows, findings: ComparedFindings } => ({
  rows: rowsOf(before.body_markdown, after.body_markdown), findings: fatesOf(before, after, old, now)
})
