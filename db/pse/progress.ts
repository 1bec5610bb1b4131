import { sql, type Updateable } from 'kysely'
import type { SpecDocument } from '../../schemas/pse/document.js'
import { activeGeneration, type GenerationStatus } from '../../schemas/pse/generations.js'
import type { Db } from '../index.js'
import { insertEvents } from '../stream-events.js'
import { generationColumns, type GenerationRow } from './generations.js'
import type { Failure, PseStepTable } from './tables.js'

/** Whose writes count: the holder of this epoch, while the generation is active. */
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

export interface NewEvent { event: string, data: Record<string, unknown> }

/** Adds events to a session's stream. In a transaction; it holds the session's row from here to its end. */
export const tell = async (trx: Db, workspaceId: string, sessionId: string, events: readonly NewEvent[]):
Promise<void> => {
  if (events.length === 0) return
  const row = await trx.updateTable('pse_session').set({ event_seq: sql`event_seq + ${events.length}::bigint` })
    .where('workspace_id', '=', workspaceId).where('id', '=', sessionId).returning('event_seq').executeTakeFirst()
  if (!row) return
  await insertEvents(trx, events.map(({ event, data }, index) => {
    const position = row.event_seq - events.length + index + 1
    const told = JSON.stringify({ seq: position, ...data })
    return { workspace_id: workspaceId, stream_id: sessionId, position, event, data: told }
  }))
}

/** Spent tokens add up over the attempts of a step: a failed one was paid as well. */
const plus = (column: 'input_tokens' | 'output_tokens' | 'cache_read_tokens' | 'cache_write_tokens' |
  'model_calls' | 'cost_usd_micros', value: unknown) => sql<number>`${sql.ref(column)} + ${value}::bigint`

/** Which steps there are shows when it is their turn. */
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
      attempt: sql`attempt + 1`, started_at: sql`coalesce(started_at, clock_timestamp())`, finished_at: null
    }),
    ...(ends && { finished_at: sql`clock_timestamp()` }),
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
  status !== undefined && !(activeGeneration as readonly string[]).includes(status)

/**
 * Writes a change of the generation, of its steps, and what is told of them, in the caller's transaction.
 * @returns the changed row; undefined when the epoch is no longer the row's, or it has ended: then roll back
 */
export const writeIn = async (trx: Db, held: Held, change: GenerationChange, steps: readonly StepChange[],
  events: readonly NewEvent[]): Promise<GenerationRow | undefined> => {
  // The session's row first, as everybody takes them.
  await tell(trx, held.workspace_id, held.session_id, events)
  const { suggestions, warnings, error, proposal, ...rest } = change
  const row = await trx.updateTable('pse_generation').set({
    ...rest,
    ...(suggestions && { suggestions: JSON.stringify(suggestions) }),
    ...(warnings && { warnings: JSON.stringify(warnings) }),
    ...(error && { error: JSON.stringify(error) }),
    ...(proposal && { proposal: JSON.stringify(proposal) }),
    started_at: sql`coalesce(started_at, clock_timestamp())`,
    ...(isEnd(change.status) && {
      finished_at: sql`clock_timestamp()`, lease_owner: null, lease_until: null, lease_epoch: sql`lease_epoch + 1`
    })
  })
    .where('workspace_id', '=', held.workspace_id).where('id', '=', held.id)
    .where('lease_epoch', '=', held.lease_epoch).where('status', 'in', activeGeneration)
    .returning(generationColumns).executeTakeFirst()
  if (!row) return undefined
  for (const step of steps) await writeStep(trx, held, step)
  return row
}
