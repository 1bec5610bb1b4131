import { Type, type Static } from '@sinclair/typebox'
import { Defaulted, Id, Money, Nullable, page, PageQuery, Timestamp, Words } from '../common.js'
import type { NewEventOf } from '../events.js'
import { ModelBudget } from '../model-budget.js'
import { Channel, Locale, Network } from 'steward-prose-engine/schemas'
import {
  ContentFailure, contentGenerationStatuses, generationModes, outputStatuses, writtenBy
} from './generation-words.js'

const tokens = {
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  cache_read_tokens: Type.Integer(),
  cache_write_tokens: Type.Integer(),
  cost: Nullable(Money)
}

export const ContentStep = Type.Object({
  key: Type.String({ description: 'The output\'s number and what is done, such as 1:section:2' }),
  status: Words(['running', 'done', 'failed'] as const),
  attempt: Type.Integer({ description: 'More than 1: a worker was lost in it, or it was tried again' }),
  ...tokens,
  duration_ms: Nullable(Type.Integer()),
  text: Nullable(Type.String({ description: 'What it wrote, while its output has not come to an end' })),
  error: Nullable(ContentFailure)
}, { $id: 'ContentStep' })
export type ContentStep = Static<typeof ContentStep>

export const ContentOutput = Type.Object({
  number: Type.Integer(),
  content_id: Nullable(Id),
  channel: Channel,
  network: Nullable(Network),
  locale: Locale,
  variant: Type.Integer(),
  status: Words(outputStatuses),
  result_version: Nullable(Type.Integer({ description: 'null: it made none, or only suggestions' })),
  suggestions: Type.Integer({ description: 'Texts beside what people wrote' }),
  refused: Type.Array(Type.String(), {
    description: 'Numbers, quotations and addresses that the model named and no source has: not in the text'
  }),
  error: Nullable(ContentFailure)
}, { $id: 'ContentOutput' })
export type ContentOutput = Static<typeof ContentOutput>

export const ContentUsage = Type.Object(tokens, {
  $id: 'ContentUsage', description: 'Of every attempt, failed ones too; cost null: the price is not known'
})

export const ContentEstimate = Type.Object({
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  model_calls: Type.Integer(),
  cost: Nullable(Money),
  estimated: Type.Literal(true, { description: 'By characters and by the usual length, not counted by the model' })
}, { $id: 'ContentEstimate' })
export type ContentEstimate = Static<typeof ContentEstimate>

export const ContentGeneration = Type.Object({
  id: Nullable(Id),
  project_id: Id,
  brief_id: Nullable(Id),
  mode: Words(generationModes),
  engine: Words(writtenBy),
  model: Nullable(Type.String()),
  status: Nullable(Words(contentGenerationStatuses, {
    description: 'null: a dry run. partial: some outputs are done, some failed. All but queued and running are final'
  })),
  outputs: Type.Array(ContentOutput),
  steps: Type.Array(ContentStep),
  usage: ContentUsage,
  estimate: ContentEstimate,
  budget: Type.Union([Type.Object({
    max_cost: Nullable(Money),
    max_output_tokens: Type.Integer(),
    max_seconds: Type.Integer(),
    max_repair_rounds: Type.Integer()
  }), Type.Null()], { description: 'Where the model run ends; null: rules did it' }),
  warnings: Type.Array(Type.String()),
  brand_version: Type.Integer(),
  prompt_inputs: Type.Array(Type.String(), {
    description: 'The fields of the brand that the model was given, with the number of entries of each'
  }),
  retry_of: Nullable(Id),
  error: Nullable(ContentFailure),
  created_by: Id,
  created_at: Nullable(Timestamp),
  started_at: Nullable(Timestamp),
  cancel_requested_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp)
}, { $id: 'ContentGeneration' })
export type ContentGeneration = Static<typeof ContentGeneration>

export const RetryContentGeneration = Type.Object({
  budget: Type.Optional(ModelBudget),
  dry_run: Defaulted(Type.Boolean({
    default: false, description: 'Write nothing; show what would be gone on with, for how much'
  }))
}, { $id: 'RetryContentGeneration', additionalProperties: false, default: {} })
export type RetryContentGeneration = Static<typeof RetryContentGeneration>

export const ContentGenerationPage = page(ContentGeneration, 'ContentGenerationPage')
export const ContentGenerationParams = Type.Object({ generation_id: Id })
export const ListContentGenerations = Type.Object({
  ...PageQuery, project_id: Type.Optional(Id), content_id: Type.Optional(Id)
})

export const GenerateContentHeaders = Type.Object({
  prefer: Type.Optional(Type.String({
    maxLength: 200, description: 'wait=N: seconds to wait for the end, 0 to 60; default 10; respond-async: none'
  })),
  accept: Type.Optional(Type.String({ maxLength: 500, description: 'text/event-stream streams the progress' })),
  'if-match': Type.Optional(Type.String({
    maxLength: 1000,
    description: 'An ETag of what it is made of, such as "r3": create: of the brief; else of the record'
  }))
})
export const FollowContentHeaders = Type.Object({
  'last-event-id': Type.Optional(Type.String({ maxLength: 30, description: 'The last id held; goes on after it' }))
})

const Seq = Type.Integer({ description: 'The position in the generation\'s stream; the frame\'s id' })
const eventSchema = <const T extends string, P extends Parameters<typeof Type.Object>[0]>(type: T, data: P,
  $id: string) => Type.Object({ type: Type.Literal(type), generation_id: Id, seq: Seq, ...data }, { $id })

const Micros = Nullable(Type.Integer({ description: 'Millionths of a dollar; null: the price is not known' }))
const counted = { input_tokens: Type.Integer(), output_tokens: Type.Integer(), cost_usd_micros: Micros }
const number = Type.Integer({ description: 'Of the output' })
const end = { status: Words(contentGenerationStatuses), error: Nullable(ContentFailure) }

export const ContentGenerationEvent = Type.Union([
  eventSchema('generation_queued', { outputs: Type.Integer() }, 'ContentQueuedTold'),
  eventSchema('generation_started', { engine: Words(writtenBy), mode: Words(generationModes) }, 'ContentStartedTold'),
  eventSchema('step_started', { step: Type.String() }, 'ContentStepStartedTold'),
  eventSchema('step_completed', { step: Type.String(), ...counted }, 'ContentStepCompletedTold'),
  eventSchema('repair_round', { number, round: Type.Integer(), accepted: Type.Integer() }, 'ContentRepairTold'),
  eventSchema('budget_warning', { spent_pct: Type.Integer() }, 'ContentBudgetTold'),
  eventSchema('suggestion_created', { number, content_id: Id, target: Type.String() }, 'ContentSuggestionTold'),
  eventSchema('output_completed', {
    number, content_id: Id, result_version: Nullable(Type.Integer()), score: Type.Integer()
  }, 'ContentOutputTold'),
  eventSchema('output_failed', { number, content_id: Id, error: ContentFailure }, 'ContentOutputFailedTold'),
  eventSchema('generation_succeeded', end, 'ContentSucceededTold'),
  eventSchema('generation_failed', end, 'ContentFailedTold'),
  eventSchema('generation_cancelled', end, 'ContentCancelledTold')
], { $id: 'ContentGenerationEvent', discriminator: { propertyName: 'type' } })
export type ContentGenerationEvent = Static<typeof ContentGenerationEvent>
export type NewContentEvent = NewEventOf<ContentGenerationEvent, 'generation_id' | 'seq'>

/** The last event of a generation is one of these. */
export const contentEndEvents: readonly string[] =
  ['generation_succeeded', 'generation_failed', 'generation_cancelled'] satisfies ContentGenerationEvent['type'][]
