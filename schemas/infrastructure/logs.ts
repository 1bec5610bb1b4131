import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Timestamp, Words } from '../common.js'

const Moment = Type.String({
  maxLength: 40,
  pattern: '^([0-9]{1,5}[smhd]|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2}))$',
  examples: ['15m'],
  description: 'RFC 3339, or how long ago: 30s, 15m, 2h, 3d'
})

export const LogQuery = {
  since: Type.Optional(Moment),
  until: Type.Optional(Moment),
  filter: Type.Optional(Type.String({
    minLength: 1,
    maxLength: 1024,
    description: 'A CloudWatch filter pattern, such as ERROR or "time out" or { $.level = "error" }'
  })),
  limit: Type.Integer({
    minimum: 1, maximum: 1000, default: 200, description: 'How many lines, the newest of the range'
  }),
  cursor: Type.Optional(Type.String({
    maxLength: 8000, description: '`next_cursor` for older lines, `poll_cursor` for what has come since'
  }))
}
export const FunctionLogQuery = Type.Object(LogQuery)
export const ServiceLogQuery = Type.Object({
  ...LogQuery,
  container: Type.Optional(Type.String({ maxLength: 255, description: 'Only this container' })),
  task: Type.Optional(Type.String({
    pattern: '^[A-Za-z0-9-]{1,64}$',
    examples: ['1dc5c17a-422b'],
    description: 'Only this task'
  }))
})
export type LogRequest = Static<typeof FunctionLogQuery>
export type ServiceLogRequest = Static<typeof ServiceLogQuery>

export const LogEvent = Type.Object({
  id: Type.String(),
  timestamp: Timestamp,
  ingested_at: Nullable(Timestamp),
  message: Type.String(),
  truncated: Type.Boolean({ description: 'The message was longer than 64 KiB' }),
  container: Nullable(Type.String()),
  task_id: Nullable(Type.String()),
  stream: Type.String(),
  group: Type.String(),
  region: Type.String()
}, { $id: 'LogEvent' })
export type LogEvent = Static<typeof LogEvent>

export const LogSource = Type.Object({
  region: Type.String(),
  group: Type.String(),
  stream_prefix: Nullable(Type.String()),
  container: Nullable(Type.String()),
  status: Words(['ok', 'missing', 'unsupported', 'denied', 'throttled', 'failed'] as const, {
    description: 'missing: nothing was logged yet; unsupported: its lines cannot be read here; denied, throttled and ' +
      'failed: it has not answered, and `detail` says why'
  }),
  detail: Nullable(Type.String())
}, { $id: 'LogSource' })
export type LogSource = Static<typeof LogSource>

export const LogPage = Type.Object({
  items: Type.Array(LogEvent, { description: 'Oldest first' }),
  next_cursor: Nullable(Type.String({
    description: 'Older lines of the range. A page may be empty and still have one'
  })),
  poll_cursor: Type.String({ description: 'What comes after this page' }),
  since: Timestamp,
  until: Timestamp,
  sources: Type.Array(LogSource),
  complete: Type.Boolean({ description: 'Nothing older is left in the range, and every source was read' }),
  notes: Type.Array(Type.String())
}, { $id: 'LogPage' })
export type LogPage = Static<typeof LogPage>

export const LogLine = Type.Composite([Type.Object({ type: Type.Literal('log') }), LogEvent], { $id: 'LogLine' })
export const LogEnd = Type.Object({
  type: Type.Literal('end'),
  reason: Words(['time_limit', 'shutdown'] as const)
}, { $id: 'LogEnd' })
export const LogFault = Type.Object({
  type: Type.Literal('error'), code: Type.String(), message: Type.String(), retryable: Type.Boolean()
}, { $id: 'LogFault' })
export const LogStreamEvent = Type.Union([LogLine, LogEnd, LogFault], {
  $id: 'LogStreamEvent',
  discriminator: { propertyName: 'type' },
  description: 'The data of one SSE event; `type` equals the event\'s name. Resume with Last-Event-ID'
})
