import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type {
  External, PublicationAttempt, PublicationState, PublicationWarning
} from '../../schemas/content/publications.js'
import type { TargetKind } from '../../schemas/content/targets.js'
import type { Asker } from '../deployments/tables.js'
import type { Db } from '../index.js'

const columns = ['workspace_id', 'id', 'content_id', 'version', 'target_id', 'target_name', 'kind', 'action', 'state',
  'error', 'publish_at', 'timezone', 'misfire', 'republish', 'overwrite', 'warnings', 'attempts', 'attempt_count',
  'external', 'next_attempt_at', 'lease_epoch', 'principal', 'created_by', 'created_at', 'finished_at'] as const

const overdue = sql<boolean>`(state in ('scheduled', 'queued') and
  next_attempt_at < clock_timestamp() - interval '2 minutes')`

const rows = (db: Db, workspaceId: string) => db.selectFrom('content_publication').select(columns)
  .select(overdue.as('overdue')).where('workspace_id', '=', workspaceId)

export const findPublication = (db: Db, workspaceId: string, id: string) =>
  rows(db, workspaceId).where('id', '=', id).executeTakeFirst()

export type PublicationRow = NonNullable<Awaited<ReturnType<typeof findPublication>>>

export const listPublications = (db: Db, workspaceId: string, contentId: string): Promise<PublicationRow[]> =>
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
  principal: Asker
  created_by: string
}

/** @returns the row that this call made, or the one that was there with the same key */
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
    next_attempt_at: made.publish_at ?? sql`clock_timestamp()`
  }).onConflict((conflict) => conflict.columns(['workspace_id', 'dedupe_key'])
    .where(sql<boolean>`state <> 'cancelled' and retired_at is null`).doNothing())
    .returning('id').executeTakeFirst()
  const found = inserted
    ? await findPublication(db, workspaceId, inserted.id)
    : await rows(db, workspaceId).where('dedupe_key', '=', made.dedupe_key)
      .where('state', '<>', 'cancelled').where('retired_at', 'is', null).executeTakeFirst()
  if (!found) throw new Error('A publication is neither new nor there')
  return { row: found, isNew: inserted !== undefined }
}

/** @returns what else went or goes to a target within an hour of a time, null = now; by time */
export const listNear = (db: Db, workspaceId: string, { content_id: own, target_id: target }:
Pick<NewPublication, 'content_id' | 'target_id'>, at: Date | null) => {
  const time = sql<Date>`coalesce(p.publish_at, p.created_at)`
  const moment = sql<Date>`coalesce(${at}::timestamptz, clock_timestamp())`
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
  and next_attempt_at <= clock_timestamp()) or (state = 'running' and lease_until < clock_timestamp()))`

/**
 * Takes a publication that is due, unless another one of the same record and target is being sent.
 * @returns it with the state it was in; one whose worker was lost comes as `unknown`
 */
export const claimPublication = (db: Db, workspaceId: string, id: string, leaseSeconds: number) =>
  db.transaction().execute(async (trx) => {
    const row = await rows(trx, workspaceId).where('id', '=', id).where(due).forUpdate().executeTakeFirst()
    if (!row) return undefined
    const busy = await trx.selectFrom('content_publication').select('id').where('workspace_id', '=', workspaceId)
      .where('content_id', '=', row.content_id).where('target_id', '=', row.target_id).where('id', '<>', id)
      .where('state', '=', 'running').where('lease_until', '>', sql<Date>`clock_timestamp()`).executeTakeFirst()
    if (busy) return undefined
    const held = await trx.updateTable('content_publication').set({
      state: 'running',
      lease_epoch: sql`lease_epoch + 1`,
      lease_until: sql`clock_timestamp() + make_interval(secs => ${leaseSeconds})`
    }).where('workspace_id', '=', workspaceId).where('id', '=', id).returning('lease_epoch').executeTakeFirstOrThrow()
    const was: PublicationState = row.state === 'running' ? 'unknown' : row.state
    return { row: { ...row, ...held }, was }
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

/** @returns whether the row was still this worker's to settle */
export const settlePublication = async (db: Db, row: PublicationRow, settled: Settled): Promise<boolean> => {
  const { state, error, attempt, external, again } = settled
  const attempts = attempt ? [...row.attempts, attempt].slice(-10) : row.attempts
  const { numUpdatedRows } = await db.updateTable('content_publication').set({
    state,
    error,
    attempts: JSON.stringify(attempts),
    attempt_count: row.attempt_count + (attempt ? 1 : 0),
    lease_until: null,
    next_attempt_at: again === undefined ? null : sql`clock_timestamp() + make_interval(secs => ${again})`,
    ...(external !== undefined && { external: external && JSON.stringify(external) }),
    ...(final.includes(state) && { finished_at: sql`clock_timestamp()` })
  }).where('workspace_id', '=', row.workspace_id).where('id', '=', row.id)
    .where('lease_epoch', '=', row.lease_epoch).where('state', '=', 'running').executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @returns the row if it was in one of these states */
export const movePublication = async (db: Db, workspaceId: string, id: string, from: PublicationState[],
  to: 'cancelled' | 'queued'): Promise<boolean> => {
  const { numUpdatedRows } = await db.updateTable('content_publication').set({
    state: to,
    ...(to === 'queued'
      ? { next_attempt_at: sql`clock_timestamp()`, attempt_count: 0, finished_at: null, error: null }
      : { next_attempt_at: null, finished_at: sql`clock_timestamp()` })
  }).where('workspace_id', '=', workspaceId).where('id', '=', id).where('state', 'in', from).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @returns publications that are due and that no job has taken for a while */
export const listDue = (db: Db, limit: number) =>
  db.selectFrom('content_publication').select(['workspace_id', 'id'])
    .where((where) => where.or([
      where.and([
        where('state', 'in', ['scheduled', 'queued', 'retrying', 'unknown', 'awaiting_merge']),
        where('next_attempt_at', '<', sql<Date>`clock_timestamp()`)
      ]),
      where.and([where('state', '=', 'running'), where('lease_until', '<', sql<Date>`clock_timestamp()`)])
    ])).limit(limit).execute()

/** @returns how many publications are due for more than two minutes and not begun, over all workspaces; by an index */
export const countOverdue = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from content_publication
    where state in ('scheduled', 'queued') and next_attempt_at < clock_timestamp() - interval '2 minutes'`.execute(db)
  return rows[0]?.count ?? 0
}
