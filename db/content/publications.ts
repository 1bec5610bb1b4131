import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type {
  External, PublicationAttempt, PublicationState, PublicationWarning
} from '../../schemas/content/publications.js'
import type { TargetKind } from '../../schemas/content/targets.js'
import type { Actor } from '../audit.js'
import { clock, clockPlus } from '../clock.js'
import { count } from '../columns.js'
import { dueRowsOf, leaseFor } from '../durable/due-rows.js'
import { isHeld } from '../durable/leases.js'
import type { Db } from '../index.js'
import { sweep } from '../workers.js'

const columns = ['workspace_id', 'id', 'content_id', 'version', 'target_id', 'target_name', 'kind', 'action', 'state',
  'error', 'publish_at', 'timezone', 'misfire', 'republish', 'overwrite', 'warnings', 'attempts', 'attempt_count',
  'external', 'next_attempt_at', 'lease_epoch', 'principal', 'created_by', 'created_at', 'finished_at'] as const

const overdue = sql<boolean>`(state in ('scheduled', 'queued') and
  next_attempt_at < statement_timestamp() - interval '2 minutes')`

const rows = (db: Db, workspaceId: string) => db.selectFrom('content_publication').select(columns)
  .select(overdue.as('overdue')).where('workspace_id', '=', workspaceId)

export const findPublication = (db: Db, workspaceId: string, id: string) =>
  rows(db, workspaceId).where('id', '=', id).executeTakeFirst()

export type ShownPublication = NonNullable<Awaited<ReturnType<typeof findPublication>>>
export type PublicationRow = Omit<ShownPublication, 'overdue'>

export const listPublications = (db: Db, workspaceId: string, contentId: string): Promise<ShownPublication[]> =>
  rows(db, workspaceId).where('content_id', '=', contentId).orderBy('id', 'desc').limit(100).execute()

export interface NewPublication {
  content_id: string
  version: number
  target_id: string
  target_name: string
  kind: TargetKind
  action: PublicationRow['action']
  publish_at: Date | null
  timezone: string | null
  misfire: 'late' | 'skip'
  republish: boolean
  overwrite: boolean
  warnings: PublicationWarning[]
  dedupe_key: string
  principal: Actor
  created_by: string
}

/** @returns the new row, or the existing one with the same key */
export const insertPublication = async (db: Db, workspaceId: string, made: NewPublication):
Promise<{ row: PublicationRow, isNew: boolean }> => {
  const inserted = await db.insertInto('content_publication').values({
    ...made,
    workspace_id: workspaceId,
    id: uuid(),
    state: made.publish_at === null ? 'queued' : 'scheduled',
    attempts: '[]',
    warnings: JSON.stringify(made.warnings),
    principal: JSON.stringify(made.principal),
    next_attempt_at: made.publish_at ?? clock
  }).onConflict((conflict) => conflict.columns(['workspace_id', 'dedupe_key'])
    .where(sql<boolean>`state <> 'cancelled' and retired_at is null`).doNothing())
    .returning('id').executeTakeFirst()
  const found = inserted
    ? await findPublication(db, workspaceId, inserted.id)
    : await findPublicationOf(db, workspaceId, made.dedupe_key)
  if (!found) throw new Error('A publication was neither inserted nor found')
  return { row: found, isNew: inserted !== undefined }
}

/** @returns the publication that another one with this key would find instead of being made */
export const findPublicationOf = (db: Db, workspaceId: string, dedupeKey: string) =>
  rows(db, workspaceId).where('dedupe_key', '=', dedupeKey)
    .where('state', '<>', 'cancelled').where('retired_at', 'is', null).executeTakeFirst()

/** @returns other publications to the target within an hour of a time, null = now; by time */
export const listNear = (db: Db, workspaceId: string, { content_id: own, target_id: target }:
Pick<NewPublication, 'content_id' | 'target_id'>, at: Date | null) => {
  const time = sql<Date>`coalesce(p.publish_at, p.created_at)`
  const moment = sql<Date>`coalesce(${at}::timestamptz, statement_timestamp())`
  return db.selectFrom('content_publication as p')
    .innerJoin('content as c', (join) =>
      join.onRef('c.workspace_id', '=', 'p.workspace_id').onRef('c.id', '=', 'p.content_id'))
    .select(['p.content_id', 'c.title', time.as('at')])
    .where('p.workspace_id', '=', workspaceId).where('p.target_id', '=', target).where('p.content_id', '<>', own)
    .where(time, '>', sql<Date>`${moment} - interval '60 minutes'`)
    .where(time, '<', sql<Date>`${moment} + interval '60 minutes'`)
    .where('p.action', '<>', 'unpublish').where('p.state', 'not in', ['failed', 'cancelled'])
    .orderBy(time).limit(5).execute()
}

const due = sql<boolean>`((state in ('scheduled', 'queued', 'retrying', 'unknown', 'awaiting_merge')
  and next_attempt_at <= statement_timestamp()) or (state = 'running' and lease_until < statement_timestamp()))`

/** Whether another publication of the same record and target is being sent. */
const isBusy = (workspaceId: string) => sql<boolean>`exists (select from content_publication p
  where p.workspace_id = ${workspaceId} and p.content_id = content_publication.content_id
    and p.target_id = content_publication.target_id and p.id <> content_publication.id
    and p.state = 'running' and p.lease_until > statement_timestamp())`

/** A publication that a job has claimed; `was` is `running` where the previous job was lost. */
export type ClaimedPublication = PublicationRow & { was: PublicationState }

const leaseSeconds = 60

export const duePublications = dueRowsOf<ClaimedPublication>({
  name: 'content_publication',
  state: 'state',
  columns,
  isDue: due,
  isLate: due,
  isBusy,
  onClaim: sql`state = 'running', ${leaseFor(leaseSeconds)}`,
  orderBy: 'next_attempt_at'
})

export interface Settled {
  state: PublicationState
  error: string | null
  attempt?: PublicationAttempt
  external?: External | null
  /** Seconds from now. */
  again?: number
}

const final: readonly PublicationState[] = ['succeeded', 'failed', 'cancelled']

/** @returns whether this worker still held the row */
export const settlePublication = async (db: Db, row: PublicationRow, settled: Settled): Promise<boolean> => {
  const { state, error, attempt, external, again } = settled
  const attempts = attempt ? [...row.attempts, attempt].slice(-10) : row.attempts
  const { numUpdatedRows } = await db.updateTable('content_publication').set({
    state,
    error,
    attempts: JSON.stringify(attempts),
    attempt_count: row.attempt_count + (attempt ? 1 : 0),
    lease_until: null,
    next_attempt_at: again === undefined ? null : clockPlus(again),
    ...(external !== undefined && { external: external && JSON.stringify(external) }),
    ...(final.includes(state) && { finished_at: clock })
  }).where(isHeld(row, ['running'], 'state')).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @returns whether the row was in one of these states */
export const movePublication = async (db: Db, workspaceId: string, id: string, from: PublicationState[],
  to: 'cancelled' | 'queued'): Promise<boolean> => {
  const { numUpdatedRows } = await db.updateTable('content_publication').set({
    state: to,
    ...(to === 'queued'
      ? { next_attempt_at: clock, attempt_count: 0, finished_at: null, error: null }
      : { next_attempt_at: null, finished_at: clock })
  }).where('workspace_id', '=', workspaceId).where('id', '=', id).where('state', 'in', from).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @returns how many publications are due for more than two minutes and not begun, over all workspaces; by an index */
export const countOverdue = async (db: Db): Promise<number> => {
  const found = await sweep(db, (reach) => db.selectFrom('content_publication').select(count.as('count'))
    .where(reach(overdue)).executeTakeFirstOrThrow())
  return found.count
}
