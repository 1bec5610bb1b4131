import { listOutputs, type OutputRow } from '../../../../db/content/generation-outputs.js'
import {
  findGeneration, listSteps, readResults, type GenerationRow, type NewGeneration, type StepRow
} from '../../../../db/content/generations.js'
import type { Db } from '../../../../db/index.js'
import type { ContentGeneration, ContentOutput, ContentStep } from '../../../../schemas/content/generation-records.js'
import { NotFound } from '../../../../schemas/errors.js'
import { moneyOf } from './estimate.js'
import type { Ordered } from './slots.js'

const microsOf = (steps: readonly StepRow[]): number | null =>
  steps.reduce<number | null>((total, { cost_usd_micros: cost }) =>
    total === null || cost === null ? null : total + cost, 0)

type Counted = 'input_tokens' | 'output_tokens' | 'cache_read_tokens' | 'cache_write_tokens'

const usageOf = (steps: readonly StepRow[]): ContentGeneration['usage'] => {
  const sum = (column: Counted) => steps.reduce((total, step) => total + step[column], 0)
  return {
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    cache_read_tokens: sum('cache_read_tokens'),
    cache_write_tokens: sum('cache_write_tokens'),
    cost: moneyOf(microsOf(steps))
  }
}

const describeStep = (step: StepRow, text: string | null): ContentStep => ({
  key: step.key,
  status: step.status,
  attempt: step.attempt,
  ...usageOf([step]),
  duration_ms: step.started_at && step.finished_at && step.finished_at.getTime() - step.started_at.getTime(),
  text,
  error: step.error
})

const budgetOf = ({ plan }: Pick<GenerationRow, 'plan'>): ContentGeneration['budget'] => {
  if (plan === null) return null
  const { max_cost_usd: cost, max_output_tokens, max_seconds, max_repair_rounds } = plan.budget
  return {
    max_cost: cost === undefined ? null : { amount: cost, currency: 'USD' },
    max_output_tokens,
    max_seconds,
    max_repair_rounds
  }
}

const describeOutput = ({ generation_id, base_version, source_id, source_version, ...shown }: OutputRow):
ContentOutput => shown

const describe = (row: GenerationRow, outputs: OutputRow[], steps: StepRow[], texts: ReadonlyMap<string, string>):
ContentGeneration => ({
  id: row.id,
  project_id: row.project_id,
  brief_id: row.brief_id,
  mode: row.mode,
  engine: row.engine,
  model: row.plan?.model ?? null,
  status: row.status,
  outputs: outputs.map(describeOutput),
  steps: steps.map((step) => describeStep(step, texts.get(step.key) ?? null)),
  usage: usageOf(steps),
  estimate: row.estimate,
  budget: budgetOf(row),
  warnings: row.plan?.warnings ?? [],
  brand_version: row.brand_version,
  prompt_inputs: row.prompt_inputs,
  retry_of: row.retry_of,
  error: row.error,
  created_by: row.created_by,
  created_at: row.created_at,
  started_at: row.started_at,
  cancel_requested_at: row.cancel_requested_at,
  finished_at: row.finished_at
})

export const describeGenerations = async (db: Db, rows: GenerationRow[]): Promise<ContentGeneration[]> => {
  const [first] = rows
  if (!first) return []
  const ids = rows.map(({ id }) => id)
  const outputs = await listOutputs(db, first.workspace_id, ids)
  const steps = await listSteps(db, first.workspace_id, ids)
  const own = <T extends { generation_id: string }>(all: T[], id: string) =>
    all.filter(({ generation_id: one }) => one === id)
  return rows.map((row) => describe(row, own(outputs, row.id), own(steps, row.id), new Map()))
}

interface Wrote { paragraphs?: { markdown: string }[], posts?: { text: string }[], items?: { text: string }[] }

/** @returns the text that a step wrote */
const textOf = (result: unknown): string => {
  const { paragraphs = [], posts = [], items } = (result ?? {}) as Wrote // A step's result, by its own schema.
  const units = Array.isArray(result) ? result as { text: string }[] : items ?? []
  return [...paragraphs.map(({ markdown }) => markdown), ...posts.map(({ text }) => text),
    ...units.map(({ text }) => text)].join('\n\n')
}

/** Shows the steps' texts of outputs that are not done, so that they are not lost. @throws not_found */
export const readGeneration = async (db: Db, workspaceId: string, id: string): Promise<ContentGeneration> => {
  const row = await findGeneration(db, workspaceId, id)
  if (!row) throw NotFound()
  const outputs = await listOutputs(db, workspaceId, [id])
  const open = new Set(outputs.filter(({ status }) => status !== 'done').map(({ number }) => String(number)))
  const results = open.size > 0 ? await readResults(db, workspaceId, id) : new Map<string, unknown>()
  const texts = [...results].filter(([key]) => open.has(key.split(':')[0] ?? ''))
    .map(([key, result]): [string, string] => [key, textOf(result)]).filter(([, text]) => text !== '')
  return describe(row, outputs, await listSteps(db, workspaceId, [id]), new Map(texts))
}

const notBegun = {
  id: null, status: null, error: null, created_at: null, started_at: null, cancel_requested_at: null, finished_at: null
}

/** @returns the generation that would take over the outputs that are not done */
export const describeRetry = (before: GenerationRow, outputs: OutputRow[]): ContentGeneration => ({
  ...describe(before, outputs.map((output) => ({ ...output, status: 'pending', error: null })), [], new Map()),
  ...notBegun,
  retry_of: before.id
})

/** @returns the generation that a dry run answers */
export const describePlan = (made: NewGeneration, { planned, origin, brief }: Ordered): ContentGeneration => ({
  project_id: made.project_id,
  brief_id: brief?.isNew ? null : made.brief_id,
  mode: made.mode,
  engine: made.engine,
  model: made.plan?.model ?? null,
  outputs: (planned.length > 0
    ? planned.map(({ slot: { channel, network, locale }, variant }) => ({ channel, network, locale, variant }))
    : origin ? [origin.row] : [])
    .map(({ channel, network, locale, variant }, index) => ({
      number: index + 1,
      content_id: planned.length > 0 ? null : origin?.row.id ?? null,
      channel,
      network,
      locale,
      variant,
      status: 'pending',
      result_version: null,
      suggestions: 0,
      refused: [],
      error: null
    })),
  steps: [],
  usage: usageOf([]),
  estimate: made.estimate,
  budget: budgetOf(made),
  warnings: made.plan?.warnings ?? [],
  brand_version: made.brand_version,
  prompt_inputs: made.prompt_inputs,
  retry_of: null,
  ...notBegun,
  created_by: made.created_by
})
