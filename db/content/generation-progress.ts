import { sql } from 'kysely'
import type { ContentFailure } from '../../schemas/content/generation-failures.js'
import { activeStatuses, type ContentGenerationStatus } from '../../schemas/content/generation-words.js'
import type { Db } from '../index.js'
import { insertEvents } from '../stream-events.js'
import { generationColumns, type GenerationRow } from './generations.js'

/** Whose writes count: the holder of this epoch, while the generation is active. */
export type Held = Pick<GenerationRow, 'workspace_id' | 'id' | 'lease_epoch'>

export interface Spent {
  input_tokens: number
  output_tokens: number
  cache_read_tokens: number
  cache_write_tokens: number
  cost_usd_micros: number | null
}

export interface StepChange {
  key: string
  begins?: boolean
  spent?: Spent
  ends?: { result: unknown } | { error: ContentFailure }
}

export interface Told { event: string, data: Record<string, unknown> }

/** Adds events to a generation's stream; in the transaction that has set its event_seq. */
export const tell = (trx: Db, row: Pick<GenerationRow, 'workspace_id' | 'id' | 'event_seq'>, events: readonly Told[]):
Promise<void> => insertEvents(trx, events.map(({ event, data }, index) => {
  const position = row.event_seq - events.length + index + 1
  const told = JSON.stringify({ generation_id: row.id, seq: position, ...data })
  return { workspace_id: row.workspace_id, stream_id: row.id, position, event, data: told }
}))

/** Which steps there are shows as they begin. */
const beginStep = async (trx: Db, { workspace_id, id }: Held, key: string): Promise<void> => {
  await sql`insert into content_generation_step
      (workspace_id, generation_id, key, ordinal, status, attempt, started_at)
    select ${workspace_id}::uuid, ${id}::uuid, ${key}, count(*), 'running', 1, clock_timestamp()
    from content_generation_step where workspace_id = ${workspace_id} and generation_id = ${id}
    on conflict (workspace_id, generation_id, key) do update set status = 'running', error = null, finished_at = null,
      attempt = content_generation_step.attempt + 1`.execute(trx)
}

/** Spent tokens add up over the attempts of a step: a failed one was paid as well. */
const plus = (column: keyof Spent, value: number | null) => sql<number>`${sql.ref(column)} + ${value}::bigint`

const writeStep = async (trx: Db, held: Held, { key, begins, spent, ends }: StepChange): Promise<void> => {
  if (begins) await beginStep(trx, held, key)
  if (!spent && !ends) return
  await trx.updateTable('content_generation_step').set({
    ...(spent && {
      input_tokens: plus('input_tokens', spent.input_tokens),
      output_tokens: plus('output_tokens', spent.output_tokens),
      cache_read_tokens: plus('cache_read_tokens', spent.cache_read_tokens),
      cache_write_tokens: plus('cache_write_tokens', spent.cache_write_tokens),
      cost_usd_micros: plus('cost_usd_micros', spent.cost_usd_micros)
    }),
    ...(ends && { finished_at: sql`clock_timestamp()` }),
    ...(ends && 'result' in ends && { status: 'done', result: JSON.stringify(ends.result) }),
    ...(ends && 'error' in ends && { status: 'failed', error: JSON.stringify(ends.error) })
  }).where('workspace_id', '=', held.workspace_id).where('generation_id', '=', held.id).where('key', '=', key)
    .execute()
}

export interface GenerationChange { status?: ContentGenerationStatus, error?: ContentFailure | null, warned?: boolean }

const isEnd = (status: ContentGenerationStatus | undefined): boolean =>
  status !== undefined && !(activeStatuses as readonly string[]).includes(status)

/**
 * Writes a change of the generation, of its steps, and what is told of them, in the caller's transaction.
 * @returns the changed row; undefined when the epoch is no longer the row's, or it has ended: then roll back
 */
export const writeIn = async (trx: Db, held: Held, change: GenerationChange, steps: readonly StepChange[],
  events: readonly Told[]): Promise<GenerationRow | undefined> => {
  const { status, error, warned } = change
  const row = await trx.updateTable('content_generation').set({
    event_seq: sql`event_seq + ${events.length}::bigint`,
    started_at: sql`coalesce(started_at, clock_timestamp())`,
    ...(status && { status }),
    ...(error && { error: JSON.stringify(error) }),
    ...(warned && { warned_at: sql`clock_timestamp()` }),
    ...(isEnd(status) && {
      finished_at: sql`clock_timestamp()`, lease_owner: null, lease_until: null, lease_epoch: sql`lease_epoch + 1`
    })
  }).where('workspace_id', '=', held.workspace_id).where('id', '=', held.id)
    .where('lease_epoch', '=', held.lease_epoch).where('status', 'in', activeStatuses)
    .returning(generationColumns).executeTakeFirst()
  if (!row) return undefined
  for (const step of steps) await writeStep(trx, held, step)
  await tell(trx, row, events)
  return row
}

/** Tells of a generation that nobody holds yet; in the transaction that makes it. */
export const tellNew = async (trx: Db, row: GenerationRow, events: readonly Told[]): Promise<GenerationRow> => {
  const changed = await trx.updateTable('content_generation')
    .set({ event_seq: sql`event_seq + ${events.length}::bigint` })
    .where('workspace_id', '=', row.workspace_id).where('id', '=', row.id)
    .returning(generationColumns).executeTakeFirstOrThrow()
  await tell(trx, changed, events)
  return changed
}
