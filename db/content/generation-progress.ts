import { sql } from 'kysely'
import {
  type ContentFailure, activeStatuses, type ContentGenerationStatus
} from '../../schemas/content/generation-words.js'
import type { NewContentEvent } from '../../schemas/content/generation-records.js'
import { clock, setOnce } from '../clock.js'
import { plus } from '../columns.js'
import type { Db } from '../index.js'
import { appendEvents } from '../durable/events.js'
import { isHeld, leasesOf, noLease } from '../durable/leases.js'
import { generationColumns, type GenerationRow } from './generations.js'
import { isOneOf } from '../../schemas/unknown.js'

export const generationLeases = leasesOf<GenerationRow>('content_generation', generationColumns, activeStatuses)

/** The lease that fences every write: this epoch, while the generation is active. */
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

/** Appends events to a generation's stream; in the transaction that has set its event_seq. */
const append = (trx: Db, { workspace_id, id, event_seq: last }: GenerationRow, events: readonly NewContentEvent[]) =>
  appendEvents(trx, { workspace_id, stream_id: id, last }, events, (seq, { data }) =>
    ({ generation_id: id, seq, ...data }))

/** Inserts a step when it begins, or begins its next attempt. */
const beginStep = async (trx: Db, { workspace_id, id }: Held, key: string): Promise<void> => {
  await sql`insert into content_generation_step
      (workspace_id, generation_id, key, ordinal, status, attempt, started_at)
    select ${workspace_id}::uuid, ${id}::uuid, ${key}, count(*), 'running', 1, statement_timestamp()
    from content_generation_step where workspace_id = ${workspace_id} and generation_id = ${id}
    on conflict (workspace_id, generation_id, key) do update set status = 'running', error = null, finished_at = null,
      attempt = content_generation_step.attempt + 1`.execute(trx)
}

const writeStep = async (trx: Db, held: Held, { key, begins, spent, ends }: StepChange): Promise<void> => {
  if (begins) await beginStep(trx, held, key)
  if (!spent && !ends) return
  await trx.updateTable('content_generation_step').set({
    // Summed over the attempts of a step: a failed one costs as well.
    ...(spent && {
      input_tokens: plus('input_tokens', spent.input_tokens),
      output_tokens: plus('output_tokens', spent.output_tokens),
      cache_read_tokens: plus('cache_read_tokens', spent.cache_read_tokens),
      cache_write_tokens: plus('cache_write_tokens', spent.cache_write_tokens),
      cost_usd_micros: plus('cost_usd_micros', spent.cost_usd_micros)
    }),
    ...(ends && { finished_at: clock }),
    ...(ends && 'result' in ends && { status: 'done', result: JSON.stringify(ends.result) }),
    ...(ends && 'error' in ends && { status: 'failed', error: JSON.stringify(ends.error) })
  }).where('workspace_id', '=', held.workspace_id).where('generation_id', '=', held.id).where('key', '=', key)
    .execute()
}

export interface GenerationChange { status?: ContentGenerationStatus, error?: ContentFailure | null, warned?: boolean }

const isEnd = (status: ContentGenerationStatus | undefined): boolean =>
  status !== undefined && !isOneOf(activeStatuses, status)

/**
 * Writes a change of the generation, of its steps, and appends their events, in the caller's transaction.
 * @returns the changed row; undefined when the epoch is no longer the row's, or it has ended: then roll back
 */
export const writeIn = async (trx: Db, held: Held, change: GenerationChange, steps: readonly StepChange[],
  events: readonly NewContentEvent[]): Promise<GenerationRow | undefined> => {
  const { status, error, warned } = change
  const row = await trx.updateTable('content_generation').set({
    event_seq: plus('event_seq', events.length),
    started_at: setOnce('started_at', clock),
    ...(status && { status }),
    ...(error && { error: JSON.stringify(error) }),
    ...(warned && { warned_at: clock }),
    ...(isEnd(status) && { finished_at: clock, ...noLease })
  }).where(isHeld(held, activeStatuses))
    .returning(generationColumns).executeTakeFirst()
  if (!row) return undefined
  for (const step of steps) await writeStep(trx, held, step)
  await append(trx, row, events)
  return row
}

/** Appends the first events of a generation that is unclaimed; in the transaction that makes it. */
export const appendFirst = async (trx: Db, row: GenerationRow, events: readonly NewContentEvent[]):
Promise<GenerationRow> => {
  const changed = await trx.updateTable('content_generation')
    .set({ event_seq: plus('event_seq', events.length) })
    .where('workspace_id', '=', row.workspace_id).where('id', '=', row.id)
    .returning(generationColumns).executeTakeFirstOrThrow()
  await append(trx, changed, events)
  return changed
}
