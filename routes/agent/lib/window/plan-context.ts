import type { ContentBlockParam, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages'
import type { ReplacedRow } from '../../../../db/agent/commit-run.js'
import type { CallGist } from '../../../../db/agent/context.js'
import { cutText } from '../../../../lib/streams/events.js'
import { inOrder, type StoredMessage } from '../run/history.js'
import { shortFound, sizeOfBlocks } from './weigh-context.js'
import { redactText } from '../../../../lib/security/redaction.js'

export interface SentRow extends StoredMessage { seq: number, content: ContentBlockParam[] }

/** What is sent from now on. */
export interface ContextPlan {
  rows: SentRow[]
  replaced: ReplacedRow[]
  /** What a summary stands for; empty = none is made. */
  dropped: SentRow[]
  /** How many of the first rows are sent as they were. */
  unchanged: number
}

/** Parts of the room for the conversation. */
const marks = {
  /** What of the newest stays as it is. */
  kept: 0.2,
  /** More than this after old results were replaced: the conversation is compacted. */
  compact: 0.35,
  /** More than this at last: what the model has not read yet is cut. */
  most: 0.9,
  cut: 0.6
}

/** A shorter result stays: a line is not shorter, and notes of outcomes are as short. */
const shortResult = 400

type Result = ToolResultBlockParam & { content: string }

const isResult = (block: ContentBlockParam): block is Result =>
  block.type === 'tool_result' && typeof block.content === 'string'

const hasResults = ({ content }: SentRow): boolean => content.some(isResult)

const sizeOf = ({ content }: SentRow): number => sizeOfBlocks(content)
const sizeOfAll = (rows: readonly SentRow[]): number => rows.reduce((sum, row) => sum + sizeOf(row), 0)

const begin = '[Left out to save room: '

/** Whether it stands for a result. */
export const isLine = (text: string): boolean => text.startsWith(begin)

/** What stands for a result that is not sent any more. */
const lineFor = ({ content }: Result, call: CallGist | undefined): string => {
  const found = shortFound(content)
  if (found !== undefined) return found
  if (!call) return `${begin}${content.length} characters. Call the tool again if you need them.]`
  const { id, name, args, status } = call
  return redactText(`${begin}${name} ${args.slice(0, 120)}, ${status}, ${content.length} characters. ` +
    `Read it again with getToolCall {"tool_call_id":"${id}"}.]`)
}

const change = (row: SentRow, to: (block: Result) => string, least: number): SentRow => {
  const isLong = (block: ContentBlockParam): block is Result => isResult(block) && block.content.length > least
  if (!row.content.some(isLong)) return row
  return { ...row, content: row.content.map((block) => isLong(block) ? { ...block, content: to(block) } : block) }
}

/** @returns the index of the first of the newest rows that have so much together; the last one at least */
const newestOf = (rows: readonly SentRow[], most: number): number => {
  let left = most
  for (let index = rows.length - 1; index >= 0; index--) {
    left -= sizeOf(rows[index] as SentRow) // The index is one of the array.
    if (left < 0) return Math.min(index + 1, rows.length - 1)
  }
  return 0
}

const replaceOld = (rows: readonly SentRow[], calls: readonly CallGist[], room: number): SentRow[] => {
  const byUse = new Map(calls.map((call) => [call.tool_use_id, call]))
  const kept = newestOf(rows, room * marks.kept)
  return rows.map((row, index) => index < kept
    ? change(row, (block) => lineFor(block, byUse.get(block.tool_use_id)), shortResult)
    : row)
}

/** A conversation can be cut before an answer, or before what the person wrote: never between a call and its result. */
const canBegin = (row: SentRow): boolean => !row.compaction && (row.role === 'assistant' || !hasResults(row))

const cutAt = (rows: readonly SentRow[], room: number): number => {
  const from = newestOf(rows, room * marks.kept)
  const found = rows.findIndex((row, index) => index >= from && canBegin(row))
  return found >= 0 ? found : rows.findLastIndex(canBegin)
}

/** Results of one turn can be more than the model reads at once: each is cut, and says so. */
const cutNewest = (rows: readonly SentRow[], room: number): SentRow[] => {
  const last = rows.at(-1)
  const all = sizeOfAll(rows)
  if (!last || all <= room * marks.most) return [...rows]
  const results = Math.max(1, last.content.filter(isResult).length)
  const share = Math.max(600, Math.floor((room * marks.cut - (all - sizeOf(last))) / results))
  return rows.with(-1, change(last, ({ content }) => cutText(content, share), share))
}

/**
 * Decides what is sent: old results are replaced by lines, many at once, so that what the provider has cached changes
 * seldom; where that is not enough, a summary stands for all but the newest messages.
 * @param room in characters
 */
export const planContext = (stored: readonly SentRow[], calls: readonly CallGist[], room: number): ContextPlan => {
  const before = inOrder(stored)
  const lined = replaceOld(before, calls, room)
  const newest = lined.at(-1)
  const older = sizeOfAll(lined) - (newest ? sizeOf(newest) : 0)
  const cut = older > room * marks.compact - Math.min(newest ? sizeOf(newest) : 0, room * marks.kept)
    ? cutAt(lined, room)
    : 0
  const dropped = lined.slice(0, Math.max(0, cut))
  const worth = dropped.some(({ compaction }) => !compaction)
  const rows = cutNewest(worth ? lined.slice(cut) : lined, room)
  const known = new Set<SentRow>(before)
  const first = worth ? 0 : rows.findIndex((row) => !known.has(row))
  return {
    rows,
    unchanged: Math.max(0, first),
    replaced: rows.filter((row) => !known.has(row)).map(({ seq, content }) => ({ seq, sent: content })),
    dropped: worth ? before.slice(0, cut) : []
  }
}
