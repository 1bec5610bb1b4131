import { diffLines, diffWordsWithSpace, type ChangeObject } from 'diff'
import type { Channel } from '../schemas/channels.js'
import type { ContentBody } from '../schemas/text.js'
import type { BrandReport } from '../schemas/reports.js'
import { followExactly } from '../revision/align.js'
import { followPassages } from '../revision/anchor.js'
import { sideBySide } from '../revision/side-by-side.js'
import { changedPassages } from '../revision/changed-passages.js'
import { merge } from '../revision/merge.js'
import { judge, problemsOf } from '../revision/judge.js'
import { removeUngroundedLinks } from '../revision/ungrounded.js'
import { unitsOf, withUnit, type Unit } from '../markdown/units.js'
import type { LinkPosition } from '../markdown/in-page-links.js'
import { loadDictionary } from '../lint/dictionaries.js'
import { readBody, type Read } from '../markdown/prose.js'
import { reportOn, type Material } from '../lint/report.js'
import { proposeFacts } from '../claims/propose-facts.js'
import { readStatements, statementsOf, withVerdicts, type Basis, type Ground } from '../claims/statements.js'
import { jaccard, shinglesOf, similarFrom, sketchOf } from '../markdown/similar.js'
import { readStyle } from '../lint/vale/read-style.js'
import { toHtml } from '../markdown/render.js'
import { textOf, type Written } from '../markdown/text-of.js'

/** Caches the last parsed body: the report follows the sketch of the same text. */
let last: { key: string, read: Read } | undefined

const readOnce = (body: ContentBody): Read => {
  const key = JSON.stringify(body)
  if (last?.key !== key) last = { key, read: readBody(body) }
  return last.read
}

/** @returns the sketch by which an index finds similar texts of the project */
const sketch = (body: ContentBody, projectId: string): number[] => sketchOf(shinglesOf(readOnce(body).all), projectId)

/** A published text of the project. */
interface Alike { id: string, title: string, body: ContentBody }

type Judged = Omit<Material, keyof Read | 'similar'>

/** @param alike what is published and may be similar */
const report = async (judged: Judged, alike: readonly Alike[], brandVersion: number): Promise<BrandReport> => {
  await loadDictionary(judged.locale)
  const read = readOnce(judged.body)
  const shingles = shinglesOf(read.all)
  const similar = alike.map((other) => ({ ...other, share: jaccard(shingles, shinglesOf(readBody(other.body).all)) }))
    .filter(({ share }) => share >= similarFrom)
    .map(({ id, title, share }) => ({ id, title, percent: Math.floor(share * 100) }))
  return reportOn({ ...judged, ...read, similar }, brandVersion)
}

const withUnits = (body: ContentBody, units: Unit[]): ContentBody => units.reduce(withUnit, body)

/** What one text has and the other does not, in order. */
type TextDiff = { op: 'equal' | 'insert' | 'delete', text: string }[]

/** Beyond these limits the difference is one deletion and one insertion. */
const limits = { timeout: 500, maxEditLength: 20_000 }

const compareTexts = (before: string, after: string, granularity: 'line' | 'word'):
TextDiff => {
  const parts = granularity === 'word'
    ? diffWordsWithSpace(before, after, limits)
    : diffLines(before, after, limits)
  if (!parts) return [{ op: 'delete', text: before }, { op: 'insert', text: after }]
  return parts.map(({ added, removed, value }: ChangeObject<string>) =>
    ({ op: added ? 'insert' : removed ? 'delete' : 'equal', text: value }))
}

/** Everything that parses Markdown or prose. It runs in a process of its own (read-text.ts), on copies. */
export const operations = {
  sketch,
  report,
  textOf,
  toHtml: (channel: Channel, written: Written, position: LinkPosition): string =>
    toHtml(textOf(channel, written), position),
  unitsOf,
  withUnits,
  judge,
  problemsOf,
  removeUngroundedLinks,
  proposeFacts,
  statementsOf: (body: ContentBody, basis: Basis) => statementsOf(body, basis),
  readStatements: (body: ContentBody, ground: Ground) => readStatements(body, ground, readOnce(body)),
  withVerdicts,
  merge,
  compareTexts,
  followPassages,
  followExactly,
  sideBySide,
  changedPassages,
  readStyle
}
export type Operations = typeof operations
