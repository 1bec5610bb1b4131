import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { GenerateSpec, GenerationEstimate } from '../../schemas/pse/generations.js'
import { now, setOnce } from '../clock.js'
import type { Db } from '../index.js'
import type { PinnedStandard } from './tables.js'

export const generationColumns = ['workspace_id', 'id', 'session_id', 'status', 'mode', 'engine', 'model', 'request',
  'standards', 'inputs_seq', 'base_version', 'result_version', 'estimate', 'warnings', 'suggestions', 'error',
  'cancel_requested_at', 'attempts', 'lease_owner', 'lease_epoch', 'created_by', 'created_at', 'started_at',
  'finished_at'] as const

const ofSession = (db: Db, workspaceId: string, sessionId: string) => db.selectFrom('pse_generation')
  .select(generationColumns).where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId)

export const listGenerations = (db: Db, workspaceId: string, sessionId: string, before: string | undefined,
  limit: number) =>
  ofSession(db, workspaceId, sessionId).$if(before !== undefined, (query) => query.where('id', '<', String(before)))
    .orderBy('id', 'desc').limit(limit).execute()

export type GenerationRow = Awaited<ReturnType<typeof listGenerations>>[number]

export const findGeneration = (db: Db, workspaceId: string, sessionId: string, id: string) =>
  ofSession(db, workspaceId, sessionId).where('id', '=', id).executeTakeFirst()

export interface NewGeneration {
  workspace_id: string
  session_id: string
  mode: GenerateSpec['mode']
  engine: 'template' | 'model'
  model: string | null
  request: GenerateSpec
  standards: PinnedStandard[]
  inputs_seq: number
  base_version: number | null
  estimate: GenerationEstimate
  warnings: string[]
  created_by: string
}

/** Adds a generation. In a transaction, under the session's lock. */
export const insertGeneration = (db: Db, made: NewGeneration): Promise<GenerationRow> => {
  const { request, standards, estimate, warnings, ...rest } = made
  return db.insertInto('pse_generation').values({
    ...rest,
    id: uuid(),
    status: 'queued',
    request: JSON.stringify(request),
    standards: JSON.stringify(standards),
    estimate: JSON.stringify(estimate),
    warnings: JSON.stringify(warnings),
    suggestions: '[]'
  }).returning(generationColumns).executeTakeFirstOrThrow()
}

export const listSteps = (db: Db, workspaceId: string, generationIds: string[]) => generationIds.length === 0
  ? Promise.resolve([])
  : db.selectFrom('pse_step')
    .select(['generation_id', 'key', 'ordinal', 'status', 'attempt', 'error', 'input_tokens', 'output_tokens',
      'cache_read_tokens', 'cache_write_tokens', 'model_calls', 'cost_usd_micros', 'started_at', 'finished_at'])
    .where('workspace_id', '=', workspaceId).where('generation_id', 'in', generationIds)
    .orderBy('generation_id').orderBy('ordinal').execute()

export type StepRow = Awaited<ReturnType<typeof listSteps>>[number]

/** @returns the results of the finished steps by their keys */
export const readResults = async (db: Db, workspaceId: string, generationId: string): Promise<Map<string, unknown>> => {
  const rows = await db.selectFrom('pse_step').select(['key', 'result']).where('workspace_id', '=', workspaceId)
    .where('generation_id', '=', generationId).where('status', '=', 'done').execute()
  return new Map(rows.map(({ key, result }) => [key, result]))
}

/** @returns the proposal of the last successful generation, before its merge */
export const findProposal = async (db: Db, workspaceId: string, sessionId: string) =>
  (await db.selectFrom('pse_generation').select('proposal').where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId).where('status', '=', 'succeeded').where('proposal', 'is not', null)
    .orderBy('id', 'desc').limit(1).executeTakeFirst())?.proposal ?? undefined

/**
 * Deletes step results after a successful generation: failed ones before it began from another version, so that no
 * later generation can reuse their results.
 */
export const dropResults = async (db: Db, workspaceId: string, sessionId: string): Promise<void> => {
  await db.updateTable('pse_step').set({ result: null }).where('workspace_id', '=', workspaceId)
    .where('generation_id', 'in', (query) => query.selectFrom('pse_generation').select('id')
      .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId))
    .where('result', 'is not', null).execute()
}

/** @returns the result of a step with the same fingerprint in any generation of the session */
export const findResult = async (db: Db, { workspace_id, session_id }: GenerationRow, fingerprint: string) =>
  (await db.selectFrom('pse_step').select('result').where('workspace_id', '=', workspace_id)
    .where('generation_id', 'in', (query) => query.selectFrom('pse_generation').select('id')
      .where('workspace_id', '=', workspace_id).where('session_id', '=', session_id))
    .where('fingerprint', '=', fingerprint).where('status', '=', 'done').where('result', 'is not', null)
    .orderBy('generation_id', 'desc').limit(1).executeTakeFirst())?.result ?? undefined

/** @returns seconds since the generation first started, by the database's clock */
export const secondsOf = async (db: Db, { workspace_id, id }: GenerationRow): Promise<number> => {
  const row = await db.selectFrom('pse_generation')
    .select(sql<number>`coalesce(extract(epoch from statement_timestamp() - started_at), 0)::float8`.as('seconds'))
    .where('workspace_id', '=', workspace_id).where('id', '=', id).executeTakeFirst()
  return row?.seconds ?? 0
}

/** Records a cancel request unless the generation has ended. @returns the row, locked; undefined = not found */
export const markCancelled = async (db: Db, workspaceId: string, sessionId: string, id: string) => {
  await db.updateTable('pse_generation').set({ cancel_requested_at: setOnce('cancel_requested_at', now) })
    .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId).where('id', '=', id)
    .where('finished_at', 'is', null).execute()
  return ofSession(db, workspaceId, sessionId).where('id', '=', id).forUpdate().executeTakeFirst()
}
