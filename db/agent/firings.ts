import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { FiringStatus } from '../../schemas/agent/triggers.js'
import { clock, now } from '../clock.js'
import { dueRowsOf, putOffFor } from '../durable/due-rows.js'
import type { WorkKey } from '../durable/leases.js'
import { anyOf, type Slice } from '../columns.js'
import type { Db } from '../index.js'

/** Something that happened, by its name, and when it began by the clock of its sender; null: that is not known. */
export interface Occurrence { identity: string, started_at: Date | null }

const namesOf = (found: readonly Occurrence[]) => found.map(({ identity }) => identity)

export interface NewFiring {
  workspace_id: string
  trigger_id: string
  /** What it stands for; those that another firing stands for already are left out. */
  identities: readonly Occurrence[]
  title: string
  alert: unknown
  /** An identity that was resolved before then is new again. */
  sentAt?: Date
}

/** @returns whether one of these is new: of instances that get the same alert at the same moment, for one alone */
const insertAlerts = async (trx: Db, id: string, { workspace_id, trigger_id, identities, sentAt }: NewFiring):
Promise<boolean> => {
  // Each name once, with its newest start: one statement changes no row twice.
  const starts = new Map<string, Date | null>()
  for (const { identity, started_at: at } of identities) {
    const known = starts.get(identity)
    starts.set(identity, known && (!at || at < known) ? known : at)
  }
  if (starts.size === 0) return false
  // A Citus takes a condition of `on conflict` only beside values that are written out: no parameter for no time.
  const resolved = sentAt ? sql<boolean>`agent_trigger_alert.resolved_at < ${sentAt}` : sql<boolean>`false`
  const rows = await trx.insertInto('agent_trigger_alert')
    .values([...starts].toSorted(([a], [b]) => a < b ? -1 : 1).map(([identity, started_at]) =>
      ({ workspace_id, trigger_id, identity, firing_id: id, started_at })))
    .onConflict((conflict) => conflict.columns(['workspace_id', 'trigger_id', 'identity']).doUpdateSet((eb) => ({
      firing_id: eb.ref('excluded.firing_id'),
      resolved_at: eb.ref('excluded.resolved_at'),
      started_at: eb.ref('excluded.started_at')
    })).where(resolved))
    .returning('identity').execute()
  return rows.length > 0
}

/**
 * Stores that something has set a trigger off, unless all of it was here before. The firing comes first, since its
 * alerts refer to it: a Citus checks that at each insert, also within one statement.
 * @returns its id; undefined when nothing of it is new
 */
export const insertFiring = async (db: Db, firing: NewFiring): Promise<string | undefined> => {
  const { workspace_id, trigger_id, title, alert } = firing
  const insert = async (trx: Db): Promise<string | undefined> => {
    const id = uuid()
    await sql`insert into agent_trigger_firing (workspace_id, id, trigger_id, title, alert, status)
      values (${workspace_id}::uuid, ${id}::uuid, ${trigger_id}::uuid, ${title},
        ${alert === null ? null : JSON.stringify(alert)}::json, 'queued')`.execute(trx)
    if (await insertAlerts(trx, id, firing)) return id
    await trx.deleteFrom('agent_trigger_firing').where('workspace_id', '=', workspace_id).where('id', '=', id).execute()
    return undefined
  }
  return db.isTransaction ? insert(db) : db.transaction().execute(insert)
}

/** @returns the newest firing that stands for one of these */
export const findFiringOf = async (db: Db, { workspace_id, trigger_id, identities }:
Pick<NewFiring, 'workspace_id' | 'trigger_id' | 'identities'>): Promise<string | undefined> =>
  (await db.selectFrom('agent_trigger_alert').select('firing_id').where('workspace_id', '=', workspace_id)
    .where('trigger_id', '=', trigger_id).where('identity', '=', anyOf(namesOf(identities)))
    .orderBy('firing_id', 'desc').limit(1).executeTakeFirst())?.firing_id

const columns = ['workspace_id', 'id', 'trigger_id', 'title', 'alert', 'status', 'reason', 'session_id', 'run_id',
  'resolved_at', 'noted_at', 'attempts', 'created_at', 'started_at'] as const

export const findFiring = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('agent_trigger_firing').select(columns).where('workspace_id', '=', workspaceId).where('id', '=', id)
    .executeTakeFirst()

export type FiringRow = NonNullable<Awaited<ReturnType<typeof findFiring>>>

const shown = (db: Db, workspaceId: string) =>
  db.selectFrom('agent_trigger_firing as f')
    .leftJoin('agent_run as r', (join) => join
      .onRef('r.workspace_id', '=', 'f.workspace_id').onRef('r.id', '=', 'f.run_id'))
    .leftJoin('agent_report as p', (join) => join
      .onRef('p.workspace_id', '=', 'f.workspace_id').onRef('p.run_id', '=', 'f.run_id'))
    .select(['f.id', 'f.trigger_id', 'f.title', 'f.status', 'f.reason', 'f.session_id', 'f.run_id', 'f.resolved_at',
      'f.created_at', 'f.started_at', 'r.status as run_status', 'p.id as report_id'])
    .where('f.workspace_id', '=', workspaceId)

/** @returns what set the trigger off, newest first */
export const listFirings = (db: Db, workspaceId: string, triggerId: string, { before, limit }: Slice) =>
  shown(db, workspaceId).where('f.trigger_id', '=', triggerId)
    .$if(before !== undefined, (query) => query.where('f.id', '<', String(before)))
    .orderBy('f.id', 'desc').limit(limit).execute()

export const showFiring = (db: Db, workspaceId: string, id: string) =>
  shown(db, workspaceId).where('f.id', '=', id).executeTakeFirstOrThrow()

const firstPauseS = 15
const isDue = sql<boolean>`status = 'queued' and next_attempt_at <= ${clock}`

export interface ClaimedFiring extends WorkKey { trigger_id: string, attempts: number }

export const dueFirings = dueRowsOf<ClaimedFiring & { was: FiringStatus }>({
  name: 'agent_trigger_firing',
  state: 'status',
  columns: ['workspace_id', 'id', 'trigger_id', 'attempts'],
  isDue,
  isLate: sql`status = 'queued' and next_attempt_at <= now()`,
  onClaim: putOffFor(firstPauseS),
  orderBy: 'next_attempt_at'
})

/** @returns seconds until a firing that waits is tried again; undefined when it does not wait */
export const secondsUntilTry = async (db: Db, { workspace_id, id }: WorkKey): Promise<number | undefined> =>
  (await db.selectFrom('agent_trigger_firing')
    .select(sql<number>`greatest(extract(epoch from next_attempt_at - ${clock}), 0)::float8`.as('seconds'))
    .where('workspace_id', '=', workspace_id).where('id', '=', id).where('status', '=', 'queued')
    .executeTakeFirst())?.seconds

/** Ends a firing that starts nothing. */
export const skipFiring = async (db: Db, { workspace_id, id }: WorkKey, reason: string): Promise<void> => {
  await db.updateTable('agent_trigger_firing').set({ status: 'skipped', reason })
    .where('workspace_id', '=', workspace_id).where('id', '=', id).where('status', '=', 'queued').execute()
}

/** @returns runs that the trigger has begun within 24 hours */
export const countStarted = async (db: Db, { workspace_id, id }: WorkKey): Promise<number> =>
  (await db.selectFrom('agent_trigger_firing').select(sql<number>`count(*)::integer`.as('count'))
    .where('workspace_id', '=', workspace_id).where('trigger_id', '=', id)
    .where('started_at', '>', sql<Date>`now() - interval '24 hours'`).executeTakeFirstOrThrow()).count

/**
 * The end of what has this name, or of all whose names begin so, as far as it began no later than it ended. An end
 * may come late or twice, after the same thing has begun anew.
 */
export interface Ending {
  name: string
  by: 'name' | 'prefix'
  /** By the clock of the sender; null: that is not known. */
  ended_at: Date | null
  /** The one that the sender itself names as ended, whenever that was. */
  exactly?: string
}

/** What was stored without a start is ended by its name alone. */
const isEnded = (endings: readonly Ending[]) => sql<boolean>`exists (
  select from unnest(${endings.map(({ name }) => name)}::text[], ${endings.map(({ by }) => by === 'prefix')}::boolean[],
    ${endings.map(({ ended_at: at }) => at?.toISOString() ?? null)}::timestamptz[],
    ${endings.map(({ exactly }) => exactly ?? null)}::text[]) as e (name, is_prefix, ended_at, exactly)
  where identity = e.exactly or (
    (identity = e.name or (e.is_prefix and starts_with(identity, e.name))) and
    (started_at is null or started_at <= e.ended_at)))`

/**
 * Marks alerts as resolved. A firing is resolved when all that it stands for is; one that waits starts nothing then.
 * @returns the firings that were resolved now
 */
export const resolveAlerts = (db: Db, { workspace_id, trigger_id, endings }:
Pick<NewFiring, 'workspace_id' | 'trigger_id'> & { endings: readonly Ending[] }): Promise<string[]> =>
  db.transaction().execute(async (trx) => {
    const marked = await trx.updateTable('agent_trigger_alert').set({ resolved_at: now })
      .where('workspace_id', '=', workspace_id).where('trigger_id', '=', trigger_id)
      .where(isEnded(endings)).where('resolved_at', 'is', null).returning('firing_id').execute()
    const ids = [...new Set(marked.map(({ firing_id: id }) => id))].toSorted()
    if (ids.length === 0) return []
    await trx.selectFrom('agent_trigger_firing').select('id').where('workspace_id', '=', workspace_id)
      .where('id', '=', anyOf(ids)).orderBy('id').forUpdate().execute()
    const rows = await trx.updateTable('agent_trigger_firing')
      .set({
        resolved_at: now,
        status: sql<FiringStatus>`case when status = 'queued' then 'skipped' else status end`,
        reason: sql<string | null>`case when status = 'queued' then 'resolved' else reason end`
      })
      .where('workspace_id', '=', workspace_id).where('id', '=', anyOf(ids)).where('resolved_at', 'is', null)
      .where(sql<boolean>`not exists (select from agent_trigger_alert a where a.workspace_id = ${workspace_id}
        and a.firing_id = agent_trigger_firing.id and a.resolved_at is null)`)
      .returning('id').execute()
    return rows.map(({ id }) => id)
  })

/** @returns the proposals of a firing whose runs still live */
export const listProposals = (db: Db, workspaceId: string, firingId: string) =>
  db.selectFrom('agent_trigger_proposal').select(['run_id', 'tool_call_id']).where('workspace_id', '=', workspaceId)
    .where('firing_id', '=', firingId).orderBy('run_id').execute()

export const insertProposal = async (trx: Db, workspaceId: string,
  proposal: { firing_id: string, run_id: string, tool_call_id: string }): Promise<void> => {
  await trx.insertInto('agent_trigger_proposal').values({ workspace_id: workspaceId, ...proposal }).execute()
}

/** Old firings go with what they stand for; those with a live run are young. */
export const deleteOldFirings = async (db: Db, workspaceId: string, triggerId: string): Promise<void> => {
  await db.deleteFrom('agent_trigger_firing').where('workspace_id', '=', workspaceId)
    .where('trigger_id', '=', triggerId).where('created_at', '<', sql<Date>`now() - interval '90 days'`)
    .where('status', '<>', 'queued').execute()
}
