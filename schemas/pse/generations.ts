import { Type, type Static } from '@sinclair/typebox'
import { Defaulted, Id, maxInteger, Money, Nullable, page, PageQuery, Timestamp, Words } from '../common.js'
import { IfMatch } from '../revisions.js'
import { ModelBudget, ModelName } from '../model-budget.js'
import { Suggestion } from 'steward-spec-engine/schemas'
import { SpecVersion } from './versions.js'

const closed = { additionalProperties: false }

export const activeGeneration = ['queued', 'running', 'checking', 'repairing', 'merging'] as const
export const generationStatuses =
  [...activeGeneration, 'succeeded', 'failed', 'cancelled', 'budget_exceeded'] as const
export type GenerationStatus = typeof generationStatuses[number]
export const generationModes = ['full', 'sections', 'requirements', 'repair', 'check', 'import'] as const
export const engines = ['template', 'model'] as const

export const GenerateSpec = Type.Object({
  mode: Defaulted(Words(generationModes, {
    default: 'full',
    description: 'full: the whole document anew, then merged; sections, requirements: only the targets; repair: a ' +
      'model puts right the requirements that have errors, taken only where errors fall; check: only checks the ' +
      'current version again, by the inputs, waivers and standards of now; import: takes the inputs of kind spec ' +
      'over as they are, requirements with their ids. The last two never ask a model'
  })),
  targets: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
    maxItems: 60,
    description: 'sections.<key> in the mode sections, ids such as FR-003 in requirements and repair; a repair that ' +
      'names none is of all'
  })),
  base_version: Type.Optional(Type.Integer({
    minimum: 1,
    maximum: maxInteger,
    description: 'The version that it shall follow; refused when another one is current by now'
  })),
  engine: Defaulted(Words(['auto', 'template', 'model'], {
    default: 'auto',
    description: 'auto: a model where this instance is configured with one (the sandbox does not count), else the ' +
      'template engine, which compiles what the inputs say and infers nothing. A generation that fails with a model ' +
      'stays failed: the template engine does not replace it'
  })),
  model: Type.Optional(ModelName),
  instructions: Type.Optional(Type.String({
    maxLength: 4_000, description: 'What the model is asked beside; the template engine cannot follow it'
  })),
  budget: Type.Optional(ModelBudget),
  preserve: Defaulted(Words(['human', 'none'], {
    default: 'human', description: 'human: what people edited stays; none: only what is locked stays'
  })),
  on_conflict: Defaulted(Words(['suggest', 'fail', 'overwrite'], {
    default: 'suggest', description: 'Where a person and the generation changed the same item'
  })),
  dry_run: Defaulted(Type.Boolean({ default: false, description: 'Only says what it would cost' }))
}, { $id: 'GenerateSpec', ...closed })
export type GenerateSpec = Static<typeof GenerateSpec>

/** The defaults of an empty body. */
export const generateDefaults: GenerateSpec =
  { mode: 'full', engine: 'auto', preserve: 'human', on_conflict: 'suggest', dry_run: false }

const Usage = {
  model_calls: Type.Integer(),
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  cache_read_tokens: Type.Integer(),
  cache_write_tokens: Type.Integer(),
  cost: Nullable(Money)
}

export const GenerationStep = Type.Object({
  key: Type.String(),
  status: Words(['pending', 'running', 'done', 'failed', 'skipped']),
  attempt: Type.Integer(),
  ...Usage,
  duration_ms: Nullable(Type.Integer()),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() }))
}, { $id: 'GenerationStep' })
export type GenerationStep = Static<typeof GenerationStep>

export const GenerationUsage = Type.Object(Usage, {
  $id: 'GenerationUsage', description: 'Of every attempt, failed ones too; cost null: the price is not known'
})

export const GenerationEstimate = Type.Object({
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  model_calls: Type.Integer(),
  parts: Type.Optional(Type.Integer({
    description: 'In how many parts the inputs are read, each of about 10,000 tokens'
  })),
  cost: Nullable(Money),
  tokens_by: Type.Optional(Words(['model', 'characters'], {
    description: 'model: its server counted the inputs, as a dry run has it do; characters: estimated by their length'
  })),
  estimated: Type.Literal(true, { description: 'How long the answers are is not known before' })
}, { $id: 'GenerationEstimate' })
export type GenerationEstimate = Static<typeof GenerationEstimate>

export const Generation = Type.Object({
  generation_id: Nullable(Id),
  session_id: Id,
  mode: Words(generationModes),
  engine: Words(engines),
  model: Nullable(Type.String()),
  status: Nullable(Words(generationStatuses, {
    description: 'null: a dry run. Of the last four none changes any more'
  })),
  inputs_seq: Type.Integer({ description: 'It sees the inputs up to this one' }),
  base_version: Nullable(Type.Integer()),
  result_version: Nullable(Type.Integer()),
  steps: Type.Array(GenerationStep),
  usage: GenerationUsage,
  budget: Nullable(ModelBudget),
  estimate: GenerationEstimate,
  warnings: Type.Array(Type.String()),
  suggestions: Type.Array(Suggestion),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  created_by: Id,
  created_at: Nullable(Timestamp),
  started_at: Nullable(Timestamp),
  cancel_requested_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp)
}, { $id: 'Generation' })
export type Generation = Static<typeof Generation>
export const GenerationPage = page(Generation, 'GenerationPage')

export const Generated = Type.Object({
  generation: Generation,
  spec: Nullable(SpecVersion)
}, { $id: 'Generated', description: 'spec null: it is not finished, made none, or was a dry run' })

export const GenerationParams = Type.Object({ session_id: Id, generation_id: Id })
export const ListGenerations = Type.Object(PageQuery)
export const GenerateHeaders = Type.Object({
  ...IfMatch.properties,
  prefer: Type.Optional(Type.String({
    maxLength: 200, description: 'wait=N: seconds to wait for the end, 0 to 60; default 10'
  })),
  accept: Type.Optional(Type.String({ maxLength: 500, description: 'text/event-stream streams the progress' }))
})
