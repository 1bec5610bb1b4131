import type { PreviewRow } from '../../schemas/agent/events.js'
import {
  missingParts, surfaceNames, type MissingPart, type NotShown, type Surface
} from '../../schemas/agent/requirements.js'

/** What a surface shows of a plan at most; lengths in characters. */
interface Limits { summary: number, rows: number, length: number, diffs: boolean }

const limits: Readonly<Record<Surface, Limits>> = {
  browser: { summary: Infinity, rows: Infinity, length: Infinity, diffs: true },
  // What scrolls past for longer is not read.
  terminal: { summary: 1_000, rows: 100, length: 20_000, diffs: true },
  // A header of 150 and a section of 3,000, with who asks, who has to approve, and the words around them.
  slack: { summary: 130, rows: 20, length: 2_200, diffs: false }
}

/** What a plan shows, of which parts may be missing somewhere. */
export interface Shown { summary: string, preview: readonly PreviewRow[] }

/** Long texts are shown by their head and tail, with this between: see `showText`. */
const cutMark = / … \d+ characters … /

const isCut = ({ label, before, after, diff, truncated }: PreviewRow): boolean =>
  truncated === true || cutMark.test(label) || (diff === undefined && cutMark.test(`${before ?? ''}\n${after ?? ''}`))

/** Each end of a line takes a mark that shows where the value goes on. */
const lengthOf = ({ label, before, after, diff }: PreviewRow): number => {
  const text = `${label}: ${diff ?? `${before ?? ''} → ${after ?? ''}`}`
  return text.length + 5 * text.split('\n').length
}

/** @returns what of the plan the surface cannot show; empty where it shows the plan whole, and so may approve it */
export const missingOn = (surface: Surface, { summary, preview }: Shown): MissingPart[] => {
  const { summary: longest, rows, length, diffs } = limits[surface]
  const found: Record<MissingPart, boolean> = {
    summary: summary.length > longest || cutMark.test(summary),
    rows: preview.length > rows,
    length: preview.reduce((sum, row) => sum + lengthOf(row), 0) > length,
    diff: !diffs && preview.some(({ diff }) => diff !== undefined),
    cut: preview.some(isCut)
  }
  return missingParts.filter((part) => found[part])
}

/** @returns where the plan is not shown whole */
export const notShown = (plan: Shown): NotShown[] =>
  surfaceNames.map((surface) => ({ surface, missing: missingOn(surface, plan) }))
    .filter(({ missing }) => missing.length > 0)

const words: Readonly<Record<MissingPart, string>> = {
  summary: 'the end of its summary',
  rows: 'later changes',
  length: 'parts of long values',
  diff: 'how long texts differ',
  cut: 'what is too long for any card'
}

/** @returns such as "later changes and how long texts differ", for whoever reads it where these are missing */
export const describeMissing = (missing: readonly MissingPart[]): string => {
  const parts = missing.map((part) => words[part])
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`
}
