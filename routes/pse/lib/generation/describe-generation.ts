import {
  findGeneration, listSteps, type GenerationRow, type NewGeneration, type StepRow
} from '../../../../db/pse/generations.js'
import { findVersion } from '../../../../db/pse/versions.js'
import type { Db } from '../../../../db/index.js'
import { NotFound } from '../../../../schemas/errors.js'
import type { Generation, GenerationStep } from '../../../../schemas/pse/generations.js'
import { moneyOf, describeVersion } from '../sessions/read-version.js'

const describeStep = (step: StepRow): GenerationStep => ({
  key: step.key,
  status: step.status,
  attempt: step.attempt,
  model_calls: step.model_calls,
  input_tokens: step.input_tokens,
  output_tokens: step.output_tokens,
  cache_read_tokens: step.cache_read_tokens,
  cache_write_tokens: step.cache_write_tokens,
  cost: moneyOf(step.cost_usd_micros),
  duration_ms: step.started_at && step.finished_at && step.finished_at.getTime() - step.started_at.getTime(),
  error: step.error
})

type Counted = 'model_calls' | 'input_tokens' | 'output_tokens' | 'cache_read_tokens' | 'cache_write_tokens'

export const sum = (steps: StepRow[], column: Counted): number =>
  steps.reduce((total, step) => total + step[column], 0)

/** @returns millionths of a dollar; null when the price of any step is unknown */
export const costOfSteps = (steps: Pick<StepRow, 'cost_usd_micros'>[]): number | null =>
  steps.reduce<number | null>((total, { cost_usd_micros: cost }) =>
    total === null || cost === null ? null : total + cost, 0)

const usageOf = (steps: StepRow[]): Generation['usage'] => ({
  model_calls: sum(steps, 'model_calls'),
  input_tokens: sum(steps, 'input_tokens'),
  output_tokens: sum(steps, 'output_tokens'),
  cache_read_tokens: sum(steps, 'cache_read_tokens'),
  cache_write_tokens: sum(steps, 'cache_write_tokens'),
  cost: moneyOf(costOfSteps(steps))
})

const describe = (row: GenerationRow, steps: StepRow[]): Generation => ({
  generation_id: row.id,
  session_id: row.session_id,
  mode: row.mode,
  engine: row.engine,
  model: row.model,
  status: row.status,
  inputs_seq: row.inputs_seq,
  base_version: row.base_version,
  result_version: row.result_version,
  steps: steps.map(describeStep),
  usage: usageOf(steps),
  budget: row.request.budget ?? null,
  estimate: row.estimate,
  warnings: row.warnings,
  suggestions: row.suggestions,
  error: row.error,
  created_by: row.created_by,
  created_at: row.created_at,
  started_at: row.started_at,
  cancel_requested_at: row.cancel_requested_at,
  finished_at: row.finished_at
})

export const describeGenerations = async (db: Db, rows: GenerationRow[]): Promise<Generation[]> => {
  const [first] = rows
  if (!first) return []
  const steps = await listSteps(db, first.workspace_id, rows.map(({ id }) => id))
  return rows.map((row) => describe(row, steps.filter(({ generation_id: id }) => id === row.id)))
}

export const describeGeneration = async (db: Db, row: GenerationRow): Promise<Generation> =>
  describe(row, await listSteps(db, row.workspace_id, [row.id]))

/** @returns a generation, with the version that it made, if any @throws not_found */
export const readGenerated = async (db: Db, workspaceId: string, sessionId: string, id: string) => {
  const row = await findGeneration(db, workspaceId, sessionId, id)
  if (!row) throw NotFound()
  const { result_version: version } = row
  const made = version === null ? undefined : await findVersion(db, workspaceId, sessionId, version)
  return { generation: await describeGeneration(db, row), spec: made ? describeVersion(made) : null }
}

/** Describes the generation that a dry run plans. */
export const describePlan = (plan: NewGeneration): Generation => ({
  generation_id: null,
  session_id: plan.session_id,
  mode: plan.mode,
  engine: plan.engine,
  model: plan.model,
  status: null,
  inputs_seq: plan.inputs_seq,
  base_version: plan.base_version,
  result_version: null,
  steps: [],
  usage: usageOf([]),
  budget: plan.request.budget ?? null,
  estimate: plan.estimate,
  warnings: plan.warnings,
  suggestions: [],
  error: null,
  created_by: plan.created_by,
  created_at: null,
  started_at: null,
  cancel_requested_at: null,
  finished_at: null
})
