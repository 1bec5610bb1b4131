import type { FastifyInstance } from 'fastify'
import { findConfirmation, type ConfirmationRecord } from '../../../../db/agent/confirmations.js'
import { listInbox, listThread, listTurnInbox, type InboxFilter, type TurnKey } from '../../../../db/agent/inbox.js'
import type { Db } from '../../../../db/index.js'
import { paginate } from '../../../../lib/http/paginate.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { CursorKey } from '../../../../plugins/cursors.js'
import { clipRows } from '../../../../lib/tools/show-changes.js'
import type {
  Confirmation, ConfirmationDetails, ConfirmationQuery, ThreadQuery
} from '../../../../schemas/agent/confirmations.js'
import type { Static } from '@sinclair/typebox'
import { ConfirmationNotFound } from '../errors.js'
import { reportOutsider, type OutsiderDeps } from './report-outsider.js'
import { mayApproveNow, showConfirmations, showDetails } from './show-confirmations.js'
import { isVisible, readDeciding, readStandings } from './standing.js'

type Deps = Pick<FastifyInstance, 'db' | 'cursors' | 'jobs' | 'log'>

/** Rows that are read at once where code decides which of them are shown, and how many times for one page. */
const searched = 100
const mostBatches = 20

const requireVisible = async (deps: OutsiderDeps, principal: Principal, id: string): Promise<ConfirmationRecord> => {
  const row = await findConfirmation(deps.db, principal.workspace_id, id)
  if (!row) throw ConfirmationNotFound()
  if (row.user_id === principal.user_id) return row
  const deciding = await readDeciding(deps.db, principal, [row])
  if (!isVisible(row, principal, deciding)) throw await reportOutsider(deps, principal, id, 'read')
  return row
}

/** @throws confirmation_not_found also for one that the principal may not see */
export const readConfirmation = async (deps: OutsiderDeps, principal: Principal, id: string):
Promise<ConfirmationDetails> => showDetails(deps.db, principal, await requireVisible(deps, principal, id))

const filterOf = (principal: Principal, query: ConfirmationQuery): InboxFilter => {
  const { view, status, session_id, requested_by, decided_by, tool, q } = query
  const isOwn = view === 'mine' || view === 'waiting'
  return {
    user_id: isOwn ? principal.user_id : requested_by?.toLowerCase(),
    status: view === 'to_decide' || view === 'waiting' ? 'pending' : status,
    session_id,
    decided_by,
    name: tool,
    text: q
  }
}

type Shows = (rows: readonly ConfirmationRecord[]) => Promise<ConfirmationRecord[]>

/** Which rows a view has; what groups and roles say is code's to judge. */
const viewOf = (db: Db, principal: Principal, { view, requested_by }: ConfirmationQuery): Shows =>
  async (rows) => {
    const deciding = await readDeciding(db, principal, rows)
    const isOwn = view === 'mine' || view === 'waiting'
    const seen = rows.filter((row) => isVisible(row, principal, deciding) &&
      !(isOwn && requested_by !== undefined && row.user_id !== requested_by.toLowerCase()))
    if (view === 'mine' || view === 'workspace') return seen
    const standings = await readStandings(db, principal.workspace_id, seen)
    return seen.filter((row) => {
      const standing = standings.get(row.id)
      const isMine = standing !== undefined && mayApproveNow(row, deciding, standing)
      return view === 'to_decide' ? isMine : !isMine && row.kind === 'tool'
    })
  }

type ReadRows = (after: CursorKey | undefined, limit: number) => Promise<ConfirmationRecord[]>

/** Reads on until a page is full, or it has read enough: then the page ends early, and its cursor goes on. */
const scan = async (read: ReadRows, keyOf: (row: ConfirmationRecord) => CursorKey, shows: Shows,
  after: CursorKey | undefined, limit: number, batch: number) => {
  const found: ConfirmationRecord[] = []
  let from = after
  for (let round = 0; round < mostBatches; round++) {
    const rows = await read(from, batch)
    found.push(...await shows(rows))
    const last = rows.at(-1)
    if (!last) return { found, from: undefined }
    if (found.length > limit) break
    if (rows.length < batch) return { found, from: undefined }
    from = keyOf(last)
  }
  const isMore = found.length > limit
  const end = found[limit - 1]
  return { found: found.slice(0, limit), from: isMore && end ? keyOf(end) : from }
}

const inTurns = (deps: Deps, principal: Principal, filter: InboxFilter, runId: string) => ({
  read: (after: CursorKey | undefined, limit: number) => listTurnInbox(deps.db, principal.workspace_id, runId, {
    ...filter, limit, ...(after && { after: [Number(after[0]), Number(after[1]), String(after[2])] as TurnKey })
  }),
  // Rows of this list have both.
  keyOf: (row: ConfirmationRecord): CursorKey => {
    const { step, ordinal } = row as ConfirmationRecord & { step: number, ordinal: number }
    return [step, ordinal, row.id]
  }
})

const byTime = (deps: Deps, principal: Principal, filter: InboxFilter) => ({
  read: (after: CursorKey | undefined, limit: number) =>
    listInbox(deps.db, principal.workspace_id, { ...filter, limit, ...(after && { before: String(after[0]) }) }),
  keyOf: ({ id }: ConfirmationRecord): CursorKey => [id]
})

const clip = (items: Confirmation[]): Confirmation[] =>
  items.map((item) => ({ ...item, preview: clipRows(item.preview) }))

export const pageOfConfirmations = async (deps: Deps, principal: Principal, query: ConfirmationQuery) => {
  const { limit, cursor, ...rest } = query
  const filter = JSON.stringify(rest)
  const list = 'confirmations'
  const chosen = filterOf(principal, query)
  const { read, keyOf } = query.run_id === undefined
    ? byTime(deps, principal, chosen)
    : inTurns(deps, principal, chosen, query.run_id)
  const after = cursor === undefined ? undefined : deps.cursors.decode(principal, list, filter, cursor)
  const batch = query.view === 'mine' ? limit + 1 : searched
  const { found, from } = await scan(read, keyOf, viewOf(deps.db, principal, query), after, limit, batch)
  const items = clip(await showConfirmations(deps.db, principal, found.map(withoutTurn)))
  return { items, next_cursor: from === undefined ? null : deps.cursors.encode(principal, list, filter, from) }
}

const withoutTurn = (row: ConfirmationRecord): ConfirmationRecord => {
  // Only rows in the order of turns have them.
  const { step, ordinal, ...rest } = row as ConfirmationRecord & { step?: number, ordinal?: number }
  return rest
}

/** @returns the questions that followed each other, the oldest first. @throws confirmation_not_found */
export const pageOfThread = async (deps: Deps, principal: Principal, id: string, query: Static<typeof ThreadQuery>) => {
  const row = await requireVisible(deps, principal, id)
  const thread = row.thread_id ?? row.id
  const page = await paginate(deps, { principal, list: 'thread', filter: thread, query }, (key, limit) =>
    listThread(deps.db, principal.workspace_id, row.user_id, thread, { limit, ...(key && { after: String(key[0]) }) }),
  ({ id: last }) => [last])
  const deciding = await readDeciding(deps.db, principal, page.items)
  const seen = page.items.filter((item) => isVisible(item, principal, deciding))
  return { ...page, items: clip(await showConfirmations(deps.db, principal, seen)) }
}
