import type { ReportFinding } from '../schemas/reports.js'
import type { Passage } from '../markdown/prose.js'
import { findTerm, isWordPart, type Range } from './ranges.js'

interface Span { field: string, start: number, end: number }

const joined = (ranges: Range[]): Range[] => {
  const all: Range[] = []
  for (const [start, end] of ranges.sort(([one], [other]) => one - other)) {
    const last = all.at(-1)
    if (last && start < last[1]) last[1] = Math.max(last[1], end)
    else all.push([start, end])
  }
  return all
}

const blanksFrom = (text: string, at: number): number => {
  let end = at
  while (/\s/.test(text.charAt(end))) end++
  return end
}

/** @returns where a name stands exactly as written; blanks and markup between its words do not matter */
export const findName = (text: string, name: string): Range[] => {
  const [first = '', ...rest] = name.split(/\s+/).filter(Boolean)
  return findTerm(text, first).flatMap(([start, firstEnd]): Range[] => {
    let end = firstEnd
    for (const word of rest) {
      const at = blanksFrom(text, end)
      if (at === end || !text.startsWith(word, at)) return []
      end = at + word.length
    }
    return isWordPart(text[end]) ? [] : [[start, end]]
  })
}

/** Where the brand's protected terms stand in a record, exactly as written: "go" is not the name Go. */
export class ProtectedNames {
  readonly #byField = new Map<string, Range[]>()

  constructor (passages: readonly Passage[], names: readonly string[]) {
    const found = new Map<string, Range[]>()
    for (const { field, text, start: from } of passages) {
      const own = names.flatMap((name) => findName(text, name)).map(([start, end]): Range => [from + start, from + end])
      found.set(field, [...found.get(field) ?? [], ...own])
    }
    for (const [field, ranges] of found) this.#byField.set(field, joined(ranges))
  }

  /** @returns the last name that begins at or before an offset */
  #before (field: string, offset: number): Range | undefined {
    const ranges = this.#byField.get(field) ?? []
    let low = -1
    let high = ranges.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((ranges[middle]?.[0] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return ranges[low]
  }

  /** @returns whether all of a span is a name, or part of one */
  covers ({ field, start, end }: Span): boolean {
    return end > start && end <= (this.#before(field, start)?.[1] ?? 0)
  }

  touches ({ field, start, end }: Span): boolean {
    return end > start && (this.#before(field, end - 1)?.[1] ?? 0) > start
  }
}

/** No rule applies to a name; a finding that only overlaps a name is left to a person. */
export const spareNames = <T extends Pick<ReportFinding, 'field' | 'start' | 'end' | 'fixable'>>(names: ProtectedNames,
  findings: T[]): T[] => findings.filter((finding) => !names.covers(finding))
    .map((finding) => finding.fixable && names.touches(finding) ? { ...finding, fixable: false } : finding)
