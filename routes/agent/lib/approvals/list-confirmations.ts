import type { FastifyInstance } from 'fastify'
import type { Static } from '@sinclair/typebox'
import { listOutcomes } from '../../../../db/agent/calls.js'
import { findConfirmation, type ConfirmationRecord } from '../../../../db/agent/confirmations.js'
import { listInbox, listThread, listTurnInbox, type InboxFilter, type TurnKey } from '../../../../db/agent/inbox.js'
import type { Db } from '../../../../db/index.js'
import { listMembersOf } from '../../../../lib/account/approvers.js'
import { listNames } from '../../../../lib/account/people.js'
import { paginate } from '../../../../lib/http/paginate.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { notShown } from '../../../../lib/tools/renderable.js'
import { clipRows } from '../../../../lib/tools/show-changes.js'
import type { CursorKey } from '../../../../plugins/cursors.js'
import type { PersonName } from '../../../../schemas/account/users.js'
import type {
  Confirmation, ConfirmationDetails, ConfirmationQuery, ThreadQuery
} from '../../../../schemas/agent/confirmations.js'
import { ConfirmationNotFound } from '../errors.js'
import { requirementOf } from '../plans/judge-plan.js'
import { reportOutsider, type OutsiderDeps } from './decide.js'
import {
  isVisible, readDeciding, readStandings, eligibleAs, groupsNow, isEligible, readGroupNames, showStanding, toVoter,
  type Deciding, type Standing
} from './standing.js'

/** People who are counted; a larger workspace is shown as this many. */
const mostPeople = 1_000

const personOf = (names: ReadonlyMap<string, string>, id: string): PersonName => ({ id, name: names.get(id) ?? '' })

const escalatesAt = (row: ConfirmationRecord): Date | null => {
  const { escalate } = requirementOf(row)
  return escalate && new Date(row.requested_at.getTime() + escalate.after_s * 1_000)
}

/** @returns whether an approval by the person would count: they may approve it, and have not yet */
const mayApproveNow = (row: ConfirmationRecord, deciding: Deciding, { counted }: Standing): boolean => {
  if (row.kind === 'budget') return row.status === 'pending' && row.user_id === deciding.self?.person.id
  if (row.status !== 'pending' || counted.some((vote) => vote.user_id === deciding.self?.person.id)) return false
  return eligibleAs(row, deciding).some(({ person }) => !counted.some((vote) => vote.for_user_id === person.id))
}

interface Context {
  principal: Principal
  deciding: Deciding
  standings: ReadonlyMap<string, Standing>
  names: ReadonlyMap<string, string>
  groups: ReadonlyMap<string, string>
  outcomes: ReadonlyMap<string | null, Confirmation['outcome']>
}

const nobody: Standing = { votes: [], counted: [], missing: 0, people: new Map() }

/** What code stored in the json columns has the schema's form. */
const toConfirmation = (row: ConfirmationRecord, context: Context): Confirmation => {
  const { principal, deciding, standings, names, groups, outcomes } = context
  const outcome = outcomes.get(row.tool_call_id)
  const { close_reason, user_id, session_title, steps, authors, ...shown } = row
  const standing = standings.get(row.id) ?? nobody
  const shownStanding = row.kind === 'budget' ? { ...nobody, votes: standing.votes, people: standing.people } : standing
  return {
    ...shown,
    session_title: user_id === principal.user_id ? session_title : null,
    thread_id: row.thread_id ?? row.id,
    not_shown: notShown(row),
    ...(steps && { steps }),
    ...(authors && { edited_by: authors.map((id) => personOf(names, id)) }),
    requested_by: personOf(names, user_id),
    requirement: requirementOf(row),
    ...showStanding(row, shownStanding, groups),
    may_approve: mayApproveNow(row, deciding, standing),
    escalates_at: escalatesAt(row),
    decided_by: row.decided_by === null ? null : personOf(names, row.decided_by),
    ...(outcome && { outcome })
  } as Confirmation
}

/** What has become of the writes that were approved: whoever sees the question may know, its result is not in it. */
const readOutcomes = async (db: Db, workspaceId: string, rows: readonly ConfirmationRecord[]):
Promise<Context['outcomes']> => {
  const ids = rows.flatMap(({ status, tool_call_id: id }) => status === 'approved' && id !== null ? [id] : [])
  const found = ids.length === 0 ? [] : await listOutcomes(db, workspaceId, ids)
  return new Map(found.map(({ id, ...outcome }) => [id, outcome]))
}

/** @returns the questions as one person sees them, each with its votes */
export const showConfirmations = async (db: Db, principal: Principal, rows: readonly ConfirmationRecord[]):
Promise<Confirmation[]> => {
  if (rows.length === 0) return []
  const { workspace_id: workspaceId } = principal
  const people = new Set(rows.flatMap(({ user_id, decided_by: by, authors }) =>
    [user_id, ...by === null ? [] : [by], ...authors ?? []]))
  const [deciding, standings, names, groups, outcomes] = await Promise.all([
    readDeciding(db, principal, rows),
    readStandings(db, workspaceId, rows),
    listNames(db, workspaceId, [...people]),
    readGroupNames(db, workspaceId, rows),
    readOutcomes(db, workspaceId, rows)
  ])
  return rows.map((row) => toConfirmation(row, { principal, deciding, standings, names, groups, outcomes }))
}

/** @returns one question with who may approve it */
const showDetails = async (db: Db, principal: Principal, row: ConfirmationRecord):
Promise<ConfirmationDetails> => {
  const { workspace_id: workspaceId } = principal
  const ids = groupsNow(requirementOf(row), row.escalated)
  const [[shown], members, names] = await Promise.all([
    showConfirmations(db, principal, [row]),
    row.kind === 'tool' ? listMembersOf(db, workspaceId, ids, mostPeople) : [],
    readGroupNames(db, workspaceId, [row])
  ])
  if (!shown) throw new Error('One question is shown as one')
  const able = members.filter((person) => isEligible(row, toVoter(workspaceId, person)))
  const people = row.kind === 'tool' ? able.length : 1
  return { ...shown, approvers: { groups: ids.map((id) => personOf(names, id)), people } }
}

type ListConfirmationDeps = Pick<FastifyInstance, 'db' | 'cursors' | 'jobs' | 'log'>

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

const inTurns = (deps: ListConfirmationDeps, principal: Principal, filter: InboxFilter, runId: string) => ({
  read: (after: CursorKey | undefined, limit: number) => listTurnInbox(deps.db, principal.workspace_id, runId, {
    ...filter, limit, ...(after && { after: [Number(after[0]), Number(after[1]), String(after[2])] as TurnKey })
  }),
  // Rows of this list have both.
  keyOf: (row: ConfirmationRecord): CursorKey => {
    const { step, ordinal } = row as ConfirmationRecord & { step: number, ordinal: number }
    return [step, ordinal, row.id]
  }
})

const byTime = (deps: ListConfirmationDeps, principal: Principal, filter: InboxFilter) => ({
  read: (after: CursorKey | undefined, limit: number) =>
    listInbox(deps.db, principal.workspace_id, { ...filter, limit, ...(after && { before: String(after[0]) }) }),
  keyOf: ({ id }: ConfirmationRecord): CursorKey => [id]
})

const clip = (items: Confirmation[]): Confirmation[] =>
  items.map((item) => ({ ...item, preview: clipRows(item.preview) }))

export const pageOfConfirmations = async (deps: ListConfirmationDeps, principal: Principal, query: ConfirmationQuery) => {
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
export const pageOfThread = async (deps: ListConfirmationDeps, principal: Principal, id: string, query: Static<typeof ThreadQuery>) => {
  const row = await requireVisible(deps, principal, id)
  const thread = row.thread_id ?? row.id
  const page = await paginate(deps, { principal, list: 'thread', filter: thread, query }, (key, limit) =>
    listThread(deps.db, principal.workspace_id, row.user_id, thread, { limit, ...(key && { after: String(key[0]) }) }),
  ({ id: last }) => [last])
  const deciding = await readDeciding(deps.db, principal, page.items)
  const seen = page.items.filter((item) => isVisible(item, principal, deciding))
  return { ...page, items: clip(await showConfirmations(deps.db, principal, seen)) }
}
