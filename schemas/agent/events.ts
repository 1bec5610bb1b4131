import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, Timestamp, Words } from '../common.js'
import type { NewEventOf } from '../events.js'
import { Requirement, RiskReasons } from './requirements.js'

export const callStatuses = [
  'succeeded',
  'failed',
  'rejected',
  'expired',
  'superseded',
  'cancelled',
  'timed_out',
  'unknown'
] as const
/** Every status of a call, from its beginning. */
export const allCallStatuses = ['denied', 'awaiting', 'approved', 'auto_approved', 'dispatching', ...callStatuses] as const
export type EndedCallStatus = typeof callStatuses[number]
export const runStatuses = [
  'ready',
  'running',
  'awaiting_confirmation',
  'parked',
  'completed',
  'failed',
  'cancelled',
  'expired'
] as const

export const PreviewRow = Type.Object(
  {
    label: Type.String(),
    before: Nullable(Type.String({ description: 'As it is now; null = nothing' })),
    after: Nullable(Type.String({ description: 'As it would become' })),
    shown: Type.Optional(Nullable(Type.String({
      description: 'Of a question that replaces another: what stood under `before` when it was asked first'
    }))),
    diff: Type.Optional(Type.String({
      description: 'Of a long text: a unified diff without file names; before and after are then cut'
    })),
    truncated: Type.Optional(Type.Boolean({ description: 'Cut here: getConfirmation has more, `arguments` the whole' }))
  },
  { $id: 'PreviewRow' }
)
export type PreviewRow = Static<typeof PreviewRow>

export const Target = Type.Object(
  {
    kind: Type.String({ description: 'Such as ecs_service, content or project' }),
    id: Type.String({ description: 'The canonical id' }),
    within: Type.Optional(Type.Record(Type.String(), Type.String(), {
      description: 'Canonical ids of what holds it, by kind'
    })),
    names: Type.Optional(Type.Array(Type.String(), { description: 'Other spellings of the id' }))
  },
  { $id: 'Target', description: 'What a write acts on, as it was resolved' }
)
export type Target = Static<typeof Target>

export const RunUsage = Type.Object(
  {
    model_calls: Type.Integer(),
    tool_calls: Type.Integer(),
    input_tokens: Type.Integer(),
    output_tokens: Type.Integer(),
    cache_read_tokens: Type.Integer(),
    cost: Nullable(Type.Object({ amount: Type.String(), currency: Type.String() }))
  },
  { $id: 'RunUsage', description: 'cost is null when the price of the model is not known' }
)
export type RunUsage = Static<typeof RunUsage>

export const ContentEvent = Type.Object(
  {
    type: Type.Literal('content'),
    message_id: Id,
    text: Type.String(),
    reset: Type.Optional(
      Type.Boolean({ description: 'Forget what you hold of this message: the model call was repeated' })
    )
  },
  { $id: 'ContentEvent' }
)

/** What let a write run, as clients are shown it. */
export const DecidedBy = Type.String({
  description: 'What lets a write run unasked, such as `policy:v3:staging` or `grant:<id>`'
})

export const UnaskedPlan = Type.Object(
  {
    decided_by: DecidedBy,
    target: Target,
    summary: Type.String({ description: 'Made by code, never by the model' }),
    preview: Type.Array(PreviewRow),
    risk: Words(['low', 'medium', 'high']),
    risk_reasons: Type.Optional(RiskReasons)
  },
  { $id: 'UnaskedPlan', description: 'Of a write that runs without a question: what it does, and what allows it' }
)

export const ToolCallEvent = Type.Object(
  {
    type: Type.Literal('tool_call'),
    tool_call_id: Id,
    name: Type.String(),
    arguments: Type.Unknown(),
    effect: Words(['read', 'write']),
    status: Words(['running', 'awaiting_confirmation', 'denied']),
    still_waits: Type.Optional(Type.Literal(true, {
      description: 'The conversation goes on without this write, which still waits for its approval'
    })),
    unasked: Type.Optional(UnaskedPlan)
  },
  { $id: 'ToolCallEvent', description: 'May repeat for one id; the last one counts' }
)

export const ToolResultEvent = Type.Object(
  {
    type: Type.Literal('tool_result'),
    tool_call_id: Id,
    name: Type.String(),
    status: Words(callStatuses),
    http_status: Nullable(Type.Integer()),
    result: Type.Unknown(),
    truncated: Type.Boolean()
  },
  { $id: 'ToolResultEvent' }
)

export const ConfirmationRequiredEvent = Type.Object(
  {
    type: Type.Literal('confirmation_required'),
    confirmation_id: Id,
    session_id: Id,
    run_id: Id,
    tool_call_id: Nullable(Id),
    kind: Words(['tool', 'budget']),
    name: Type.String(),
    arguments: Type.Unknown({ description: 'What will run' }),
    target: Nullable(Target),
    summary: Type.String({ description: 'Made by code, never by the model' }),
    preview: Type.Array(PreviewRow),
    risk: Words(['low', 'medium', 'high']),
    risk_reasons: Type.Optional(RiskReasons),
    editable: Type.Array(Type.String(), { description: 'Arguments that may be edited before approving' }),
    input_digest: Type.String({ description: 'Binds the approval to target, arguments, facts and changes' }),
    replaces: Nullable(Type.Unsafe<string>({
      ...Id, description: 'The question before it: the state that it showed has changed'
    })),
    requirement: Type.Optional(Requirement),
    thread_id: Type.Optional(Type.Unsafe<string>({
      ...Id, description: 'The first of the questions that it follows; left out where it follows none'
    })),
    expires_at: Timestamp
  },
  { $id: 'ConfirmationRequiredEvent' }
)

export const DoneEvent = Type.Object(
  {
    type: Type.Literal('done'),
    session_id: Id,
    run_id: Id,
    status: Words(runStatuses),
    final: Type.Boolean({
      description: 'false: the run waits for approvals; come back with Last-Event-ID. `parked`: the conversation has ' +
        'gone on meanwhile, and has another run'
    }),
    stop_reason: Nullable(Type.String()),
    message_id: Nullable(Id),
    title: Nullable(Type.String()),
    pending_confirmations: Type.Array(Id),
    usage: RunUsage
  },
  { $id: 'DoneEvent' }
)

export const ErrorEvent = Type.Object(
  {
    type: Type.Literal('error'),
    code: Type.String(),
    message: Type.String(),
    fatal: Type.Boolean(),
    retryable: Type.Boolean(),
    retry_after_ms: Nullable(Type.Integer())
  },
  { $id: 'ErrorEvent' }
)

export const Compaction = Type.Object(
  {
    tokens_before: Type.Integer({ description: 'What the conversation weighed, as it was estimated' }),
    tokens_after: Type.Integer(),
    window: Type.Integer({ description: 'The tokens that it may weigh, with the answer' })
  },
  { $id: 'Compaction', description: 'The messages before are sent to the model as a summary from here on' }
)
export type Compaction = Static<typeof Compaction>

export const CompactedEvent = Type.Object(
  { type: Type.Literal('compacted'), message_id: Id, ...Compaction.properties },
  { $id: 'CompactedEvent', description: 'The conversation was compacted here; the message is the summary' }
)

export const ModelChangedEvent = Type.Object(
  {
    type: Type.Literal('model_changed'),
    from: Type.String(),
    to: Type.String(),
    reason: Words(['overloaded', 'retired'], { description: 'Of the first model' })
  },
  { $id: 'ModelChangedEvent', description: 'Another model goes on with the answer' }
)
export type ModelChangedEvent = Static<typeof ModelChangedEvent>

/** What the data of each frame is; `type` equals the frame's event name. */
export const ChatEvent = Type.Union(
  [
    ContentEvent, ToolCallEvent, ToolResultEvent, ConfirmationRequiredEvent, CompactedEvent, ModelChangedEvent,
    DoneEvent, ErrorEvent
  ],
  { $id: 'ChatEvent', discriminator: { propertyName: 'type' } }
)
export type ChatEvent = Static<typeof ChatEvent>

export const eventStream = {
  description: 'Server-sent events; each data is one ChatEvent, each id resumes the stream'
}

export type NewChatEvent = NewEventOf<ChatEvent>
