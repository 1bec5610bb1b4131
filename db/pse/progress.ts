import { sql, type Updateable } from 'kysely'
import type { SpecDocument } from 'steward-spec-engine/schemas'
import { activeGeneration, type GenerationStatus } from '../../schemas/pse/generations.js'
import type { NewSpecEvent } from '../../schemas/pse/events.js'
import { clock, setOnce } from '../clock.js'
import { next, plus } from '../columns.js'
import type { Db } from '../index.js'
import { appendEvents } from '../durable/events.js'
import { isHeld, leasesOf, noLease } from '../durable/leases.js'
import { generationColumns, type GenerationRow } from './generations.js'
import type { Failure, PseStepTable } from './tables.js'
import { isOneOf } from '../../schemas/unknown.js'

export const generationLeases = leasesOf<GenerationRow>('pse_generation', generationColumns, activeGeneration)

/** Identifies the holder of a generation: only the current epoch may write. */
export type Held = Pick<GenerationRow, 'workspace_id' | 'id' | 'session_id' | 'lease_epoch'>

export interface GenerationChange {
  status?: GenerationStatus
  result_version?: number
  suggestions?: GenerationRow['suggestions']
  warnings?: string[]
  error?: Failure
  proposal?: SpecDocument
}

export interface StepChange extends Omit<Updateable<PseStepTable>, 'result' | 'error' | 'workspace_id' | 'key' |
  'started_at' | 'finished_at' | 'attempt' | 'generation_id' | 'ordinal'> {
  key: string
  result?: unknown
  error?: Failure | null
  begins?: boolean
  ends?: boolean
}

/** Appends events to a session's stream. In a transaction; locks the session's row until its end. */
export const appendToSession = async (trx: Db, workspaceId: string, sessionId: string, events: readonly NewSpecEvent[]):
Promise<void> => {
  if (events.length === 0) return
  const row = await trx.updateTable('pse_session').set({ event_seq: plus('event_seq', events.length) })
    .where('workspace_id', '=', workspaceId).where('id', '=', sessionId).returning('event_seq').executeTakeFirst()
  if (!row) return
  await appendEvents(trx, { workspace_id: workspaceId, stream_id: sessionId, last: row.event_seq }, events,
    (seq, { data }) => ({ seq, ...data }))
}

/** Inserts the step if it is new, after the existing ones. */
const addStep = async (trx: Db, { workspace_id, id }: Held, key: string): Promise<void> => {
  await sql`insert into pse_step (workspace_id, generation_id, key, ordinal, status)
    select ${workspace_id}::uuid, ${id}::uuid, ${key}, count(*), 'pending' from pse_step
    where workspace_id = ${workspace_id} and generation_id = ${id}
    on conflict do nothing`.execute(trx)
}

const writeStep = async (trx: Db, held: Held, change: StepChange): Promise<void> => {
  const {
    key, result, error, begins, ends, status, fingerprint, input_tokens, output_tokens, cache_read_tokens,
    cache_write_tokens, model_calls, cost_usd_micros
  } = change
  if (begins || status === 'pending') await addStep(trx, held, key)
  await trx.updateTable('pse_step').set({
    ...(status && { status }),
    ...(fingerprint && { fingerprint }),
    ...(result !== undefined && { result: JSON.stringify(result) }),
    ...(error !== undefined && { error: error && JSON.stringify(error) }),
    ...(begins && {
      attempt: next('attempt'), started_at: setOnce('started_at', clock), finished_at: null
    }),
    ...(ends && { finished_at: clock }),
    // Adds up all attempts of a step: failed ones cost as well.
    ...(input_tokens !== undefined && {
      input_tokens: plus('input_tokens', input_tokens),
      output_tokens: plus('output_tokens', output_tokens),
      cache_read_tokens: plus('cache_read_tokens', cache_read_tokens),
      cache_write_tokens: plus('cache_write_tokens', cache_write_tokens),
      model_calls: plus('model_calls', model_calls),
      cost_usd_micros: plus('cost_usd_micros', cost_usd_micros)
    })
  }).where('workspace_id', '=', held.workspace_id).where('generation_id', '=', held.id).where('key', '=', key)
    .execute()
}

const isEnd = (status: GenerationStatus | undefined): boolean =>
  status !== undefined && !isOneOf(activeGeneration, status)

/**
 * Updates the generation and its steps and appends events, in the caller's transaction.
 * @returns the changed row; undefined = the generation has ended or another epoch holds it: roll back
 */
export const writeIn = async (trx: Db, held: Held, change: GenerationChange, steps: readonly StepChange[],
  events: readonly NewSpecEvent[]): Promise<GenerationRow | undefined> => {
  // Locks the session's row first, in the same order as all other writers.
  await appendToSession(trx, held.workspace_id, held.session_id, events)
  const { suggestions, warnings, error, proposal, ...rest } = change
  const row = await trx.updateTable('pse_generation').set({
    ...rest,
    ...(suggestions && { suggestions: JSON.stringify(suggestions) }),
    ...(warnings && { warnings: JSON.stringify(warnings) }),
    ...(error && { error: JSON.stringify(error) }),
    ...(proposal && { proposal: JSON.stringify(proposal) }),
    started_at: setOnce('started_at', clock),
    ...(isEnd(change.status) && { finished_at: clock, ...noLease })
  }).where(isHeld(held, activeGeneration)).returning(generationColumns).executeTakeFirst()
  if (!row) return undefined
  for (const step of steps) await writeStep(trx, held, step)
  return row
}
