import type { AccountRow } from '../../../../lib/aws/accounts.js'
import type { LogEvent, LogPage, LogSource, LogRequest } from '../../../../schemas/infrastructure/logs.js'
import { shortId, type Origin } from './log-lines.js'
import {
  firstNewerMarks, linesOf, newestFirst, nextNewerMarks, olderMarks, type Line, type NewerMark
} from './log-marks.js'
import type { LogOwner } from './log-owners.js'
import { readRange, type Range } from './log-range.js'
import { describeEvent, readOrigin, readSince, type Found, type Mark } from './read-logs.js'
import type { Deps } from '../sources.js'
import { itemAt } from '../../../../schemas/keys.js'

/** Logs of one account, and what is known before CloudWatch is read. */
export interface Logs { account: AccountRow, origins: Origin[], unreadable: LogSource[], owner: LogOwner }

/** Older lines: the range, and a mark for each origin. */
export interface OlderKey { kind: 'older', range: Range, marks: Mark[] }
/** Newer lines: a mark for each origin. */
export interface NewerKey { kind: 'newer', marks: NewerMark[] }

export interface Paged {
  items: LogEvent[]
  range: Range
  older: OlderKey | null
  newer: NewerKey
  sources: LogSource[]
  notes: string[]
}

const maxPages = 10
const maxMs = 8_000

/** @throws the first error when every source failed: an empty page would mean that there are no lines */
const requireAnswer = (found: Found[], sources: LogSource[]) => {
  const [first] = found
  if (!first?.error || found.some(({ error }) => error === null)) return
  Object.assign(first.error.members, { sources })
  throw first.error
}

const describeLines = (logs: Logs, lines: Line[]): LogEvent[] => lines.toSorted(newestFirst).reverse()
  .map(({ index, event }) => describeEvent(itemAt(logs.origins, index), event))

const noteMissing = (found: Found[]): string[] => found.filter(({ status }) => status.status === 'missing')
  .map(({ origin }) => `The log group ${origin.group} does not exist: nothing has been logged yet`)

const isOpen = (mark: Mark | undefined): boolean => typeof mark === 'object' && mark !== null

/**
 * One page of the newest lines of a range, or of the older ones before a page.
 * @throws range_invalid, and what AWS answers when no source could be read
 */
export const readOlder = async (deps: Deps, logs: Logs, input: LogRequest, key?: OlderKey): Promise<Paged> => {
  const range = key?.range ?? readRange(input)
  const before: Mark[] = key?.marks ?? logs.origins.map(() => ({ to: range.to }))
  const budget = { left: maxPages, until: Date.now() + maxMs }
  const query = { from: range.from, filter: input.filter, limit: input.limit, keep: logs.owner.keep }
  const found = await Promise.all(logs.origins.map((origin, index) =>
    readOrigin(deps, logs.account, origin, before[index] ?? null, query, budget)))
  const sources = [...found.map(({ status }) => status), ...logs.unreadable]
  requireAnswer(found.filter((_, index) => isOpen(before[index])), sources)
  const shown = linesOf(found).sort(newestFirst).slice(0, input.limit)
  const marks = olderMarks(found, shown, before, range)
  const hasOlder = marks.some(isOpen)
  return {
    items: describeLines(logs, shown),
    range,
    older: hasOlder ? { kind: 'older', range, marks } : null,
    newer: { kind: 'newer', marks: firstNewerMarks(found, shown, range, hasOlder) },
    sources,
    notes: [...logs.owner.notes(), ...noteMissing(found)]
  }
}

/** What has come since a page, oldest first. @throws what AWS answers when no source could be read */
export const readNewer = async (deps: Deps, logs: Logs, input: LogRequest, key: NewerKey): Promise<Paged> => {
  const markOf = (index: number) => itemAt(key.marks, index)
  const found = await Promise.all(logs.origins.map((origin, index) => {
    const { from, seen } = markOf(index)
    return readSince(deps, logs.account, origin,
      { from, filter: input.filter, limit: input.limit + seen.length, keep: logs.owner.keep })
  }))
  const sources = [...found.map(({ status }) => status), ...logs.unreadable]
  requireAnswer(found, sources)
  const all = linesOf(found)
  const isShown = ({ index, event }: Line) => markOf(index).seen.includes(shortId(event))
  const fresh = all.filter((line) => !isShown(line)).sort(newestFirst).reverse().slice(0, input.limit)
  const known = all.filter((line) => isShown(line) || fresh.includes(line))
  return {
    items: describeLines(logs, fresh),
    range: { from: Math.min(Date.now(), ...key.marks.map(({ from }) => from)), to: Date.now() },
    older: null,
    newer: { kind: 'newer', marks: nextNewerMarks(found, known, key.marks) },
    sources,
    notes: [...logs.owner.notes(), ...noteMissing(found)]
  }
}

/** @returns the page as the API returns it, with its keys encoded */
export const describePage = (paged: Paged, encode: (key: OlderKey | NewerKey) => string): LogPage => ({
  items: paged.items,
  next_cursor: paged.older && encode(paged.older),
  poll_cursor: encode(paged.newer),
  since: new Date(paged.range.from).toISOString(),
  until: new Date(paged.range.to).toISOString(),
  sources: paged.sources,
  complete: paged.older === null && paged.sources.every(({ status }) => status === 'ok' || status === 'missing'),
  notes: paged.notes
})
