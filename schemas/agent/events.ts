import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, Timestamp, Words } from '../common.js'

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
export const runStatuses = [
  'ready',
  'running',
  'awaiting_confirmation',
  'completed',
  'failed',
  'cancelled',
  'expired'
] as const

export const PreviewRow = Type.Object(
  {
    label: Type.String(),
    before: Nullable(Type.String()),
    after: Nullable(Type.String())
  },
  { $id: 'PreviewRow' }
)
export type PreviewRow = Static<typeof PreviewRow>

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

export const ToolCallEvent = Type.Object(
  {
    type: Type.Literal('tool_call'),
    tool_call_id: Id,
    name: Type.String(),
    arguments: Type.Unknown(),
    effect: Words(['read', 'write']),
    status: Words(['running', 'awaiting_confirmation', 'denied'])
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
    arguments: Type.Unknown(),
    summary: Type.String({ description: 'Made by code, never by the model' }),
    preview: Type.Array(PreviewRow),
    risk: Words(['low', 'medium', 'high']),
    editable: Type.Array(Type.String(), { description: 'Arguments that may be edited before approving' }),
    input_digest: Type.String(),
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
    final: Type.Boolean({ description: 'false: the run waits for approvals; come back with Last-Event-ID' }),
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

/** What the data of each frame is; `type` equals the frame's event name. */
export const ChatEvent = Type.Union(
  [ContentEvent, ToolCallEvent, ToolResultEvent, ConfirmationRequiredEvent, DoneEvent, ErrorEvent],
  { $id: 'ChatEvent', discriminator: { propertyName: 'type' } }
)
export type ChatEvent = Static<typeof ChatEvent>

export const eventStream = {
  description: 'Server-sent events; each data is one ChatEvent, each id resumes the stream'
}
