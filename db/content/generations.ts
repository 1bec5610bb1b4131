import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { BriefBody } from 'steward-prose-engine/schemas'
import type { ContentEstimate } from '../../schemas/content/generation-records.js'
import type { ContentGenerationStatus, GenerationMode, WrittenBy } from '../../schemas/content/generation-words.js'
import type { GenerateContent } from '../../schemas/content/generations.js'
import { clock, setOnce } from '../clock.js'
import { anyOf, type OfProjects } from '../columns.js'
import type { Db } from '../index.js'
import type { StoredPlan } from './generation-tables.js'

export const generationColumns = ['workspace_id', 'id', 'project_id', 'brief_id', 'mode', 'engine', 'plan', 'brief',
  'status', 'request', 'estimate', 'brand_version', 'prompt_inputs', 'retry_of', 'error', 'warned_at',
  'cancel_requested_at', 'event_seq', 'attempts', 'lease_owner', 'lease_epoch', 'created_by', 'created_at',
  'started_at', 'finished_at'] as const

const rows = (db: Db, workspaceId: string) =>
  db.selectFrom('content_generation').select(generationColumns).where('workspace_id', '=', workspaceId)

export const findGeneration = (db: Db, workspaceId: string, id: string) =>
  rows(db, workspaceId).where('id', '=', id).executeTakeFirst()

export type GenerationRow = NonNullable<Awaited<ReturnType<typeof findGeneration>>>

export interface GenerationFilter extends OfProjects { project_id?: string, content_id?: string }

export const listGenerations = (db: Db, workspaceId: string, filter: GenerationFilter,
  { before, limit }: { before?: string | undefined, limit: number }): Promise<GenerationRow[]> =>
  rows(db, workspaceId)
    .$if(filter.projects !== undefined, (query) => query.where('project_id', '=', anyOf(filter.projects ?? [])))
    .$if(filter.project_id !== undefined, (query) => query.where('project_id', '=', String(filter.project_id)))
    .$if(filter.content_id !== undefined, (query) => query.where('id', 'in', (inner) => inner
      .selectFrom('content_generation_output').select('generation_id')
      .where('workspace_id', '=', workspaceId).where('content_id', '=', String(filter.content_id))))
    .$if(before !== undefined, (query) => query.where('id', '<', String(before)))
    .orderBy('id', 'desc').limit(limit).execute()

export interface NewGeneration {
  project_id: string
  brief_id: string | null
  mode: GenerationMode
  engine: WrittenBy
  plan: StoredPlan | null
  brief: BriefBody | null
  request: GenerateContent
  estimate: ContentEstimate
  brand_version: number
  prompt_inputs: string[]
  retry_of: string | null
  created_by: string
}

/** Inserts a generation; one by rules is finished when the transaction commits. */
export const insertGeneration = (db: Db, workspaceId: string, made: NewGeneration,
  status: Extract<ContentGenerationStatus, 'queued' | 'succeeded'>): Promise<GenerationRow> => {
  const { request, estimate, prompt_inputs: inputs, plan, brief, ...rest } = made
  return db.insertInto('content_generation').values({
    ...rest,
    workspace_id: workspaceId,
    id: uuid(),
    status,
    request: JSON.stringify(request),
    estimate: JSON.stringify(estimate),
    prompt_inputs: JSON.stringify(inputs),
    plan: plan && JSON.stringify(plan),
    brief: brief && JSON.stringify(brief),
    ...(status === 'succeeded' && { started_at: clock, finished_at: clock })
  }).returning(generationColumns).executeTakeFirstOrThrow()
}

/** @returns the results of the finished steps, by their keys */
export const readResults = async (db: Db, workspaceId: string, generationId: string): Promise<Map<string, unknown>> => {
  const found = await db.selectFrom('content_generation_step').select(['key', 'result'])
    .where('workspace_id', '=', workspaceId).where('generation_id', '=', generationId).where('status', '=', 'done')
    .execute()
  return new Map(found.map(({ key, result }) => [key, result]))
}

const stepColumns = ['generation_id', 'key', 'ordinal', 'status', 'attempt', 'error', 'input_tokens', 'output_tokens',
  'cache_read_tokens', 'cache_write_tokens', 'cost_usd_micros', 'started_at', 'finished_at'] as const

export const listSteps = (db: Db, workspaceId: string, generationIds: string[]) => generationIds.length === 0
  ? Promise.resolve([])
  : db.selectFrom('content_generation_step').select(stepColumns)
    .where('workspace_id', '=', workspaceId).where('generation_id', 'in', generationIds)
    .orderBy('generation_id').orderBy('ordinal').orderBy('key').execute()

export type StepRow = Awaited<ReturnType<typeof listSteps>>[number]

/** Copies the finished steps of the outputs that a retry takes over: they are paid for already. */
export const copySteps = async (db: Db, workspaceId: string, from: string, to: string, numbers: number[]):
Promise<void> => {
  await db.insertInto('content_generation_step')
    .columns(['workspace_id', 'generation_id', 'key', 'ordinal', 'status', 'attempt', 'result', 'started_at',
      'finished_at'])
    .expression((query) => query.selectFrom('content_generation_step')
      .select(['workspace_id', sql<string>`${to}::uuid`.as('generation_id'), 'key', 'ordinal', 'status',
        sql.lit(0).as('attempt'), 'result', 'started_at', 'finished_at'])
      .where('workspace_id', '=', workspaceId).where('generation_id', '=', from).where('status', '=', 'done')
      .where(sql<number>`split_part(key, ':', 1)::integer`, '=', anyOf(numbers)))
    .execute()
}

/** Requests the cancellation of a generation that is not finished. @returns the row, locked; undefined if missing */
export const markCancelled = async (db: Db, workspaceId: string, id: string): Promise<GenerationRow | undefined> => {
  await db.updateTable('content_generation')
    .set({ cancel_requested_at: setOnce('cancel_requested_at', clock) })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('finished_at', 'is', null).execute()
  return rows(db, workspaceId).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Deletes step results after success; a retry of any other generation continues from them. */
export const dropResults = async (db: Db, workspaceId: string, generationId: string): Promise<void> => {
  await db.updateTable('content_generation_step').set({ result: null }).where('workspace_id', '=', workspaceId)
    .where('generation_id', '=', generationId).execute()
}

/** @returns what a generation belongs to */
export const findGenerationResource = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('content_generation').select('project_id').where('workspace_id', '=', workspaceId).where('id', '=', id)
    .executeTakeFirst()
