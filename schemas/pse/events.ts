import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, Words } from '../common.js'
import type { NewEventOf } from '../events.js'
import { engines, generationModes, generationStatuses } from './generations.js'

const Seq = Type.Integer({ description: 'The position in the session\'s stream; the frame\'s id' })
const Tokens = Type.Integer()

const eventSchema = <const T extends string, P extends Parameters<typeof Type.Object>[0]>(type: T, data: P,
  name: string) =>
    Type.Object({ type: Type.Literal(type), seq: Seq, ...data }, { $id: name })

const Failure = Nullable(Type.Object({ code: Type.String(), message: Type.String() }))

const ends = {
  generation_id: Id, status: Words(generationStatuses), error: Failure
}

/** The data of each frame; `type` equals the frame's event name, and `seq` its id. */
export const SpecEvent = Type.Union([
  eventSchema('generation_queued', { generation_id: Id }, 'SpecQueuedTold'),
  eventSchema('generation_started', {
    generation_id: Id, engine: Words(engines), mode: Words(generationModes)
  }, 'SpecStartedTold'),
  eventSchema('step_started', { step: Type.String() }, 'SpecStepStartedTold'),
  eventSchema('step_completed', {
    step: Type.String(),
    reused: Type.Boolean({ description: 'An earlier generation, which failed, was answered the same question' }),
    model_calls: Type.Integer(),
    input_tokens: Tokens,
    output_tokens: Tokens,
    cache_read_tokens: Tokens,
    cache_write_tokens: Tokens,
    cost_usd_micros: Nullable(Type.Integer())
  }, 'SpecStepCompletedTold'),
  eventSchema('repair_round', {
    generation_id: Id,
    round: Type.Integer(),
    asked: Type.Integer({ description: 'Requirements with errors that the model was shown' }),
    accepted: Type.Array(Type.String(), { description: 'Ids of those that have fewer errors now' })
  }, 'SpecRepairTold'),
  eventSchema('budget_warning', {
    generation_id: Id,
    cap: Words(['cost_usd_micros', 'output_tokens', 'model_calls']),
    used: Type.Integer({ description: 'Four fifths of the cap, or more' }),
    limit: Type.Integer()
  }, 'SpecBudgetTold'),
  eventSchema('check_completed', {
    generation_id: Id,
    verdict: Words(['pass', 'pass_with_warnings', 'fail']),
    counts: Type.Object({ error: Type.Integer(), warn: Type.Integer(), info: Type.Integer() })
  }, 'SpecCheckedTold'),
  eventSchema('suggestion_created', { generation_id: Id, target: Type.String() }, 'SpecSuggestionTold'),
  eventSchema('generation_succeeded', { generation_id: Id, version: Type.Integer() }, 'SpecSucceededTold'),
  eventSchema('generation_failed', ends, 'SpecFailedTold'),
  eventSchema('generation_cancelled', ends, 'SpecCancelledTold')
], { $id: 'SpecEvent', discriminator: { propertyName: 'type' } })
export type SpecEvent = Static<typeof SpecEvent>
export type NewSpecEvent = NewEventOf<SpecEvent, 'seq'>

/** One of these is the last event of a generation. */
export const endEvents: readonly string[] =
  ['generation_succeeded', 'generation_failed', 'generation_cancelled'] satisfies SpecEvent['type'][]

export const FollowSpecHeaders = Type.Object({
  'last-event-id': Type.Optional(Type.String({ maxLength: 30, description: 'The last id held; goes on after it' }))
})
