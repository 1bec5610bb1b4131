import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, PageQuery, Timestamp, Words, page } from '../common.js'
import { Confirmation } from './confirmations.js'
import { callStatuses, Compaction, runStatuses, RunUsage } from './events.js'

export const LiveRun = Type.Object({
  run_id: Id,
  status: Words(['ready', 'running', 'awaiting_confirmation']),
  stream_url: Type.String()
}, { $id: 'LiveRun' })

export const ChatSession = Type.Object({
  id: Id,
  title: Nullable(Type.String()),
  title_source: Words(['none', 'auto', 'user', 'fallback']),
  created_at: Timestamp,
  last_activity_at: Timestamp,
  live_run: Nullable(LiveRun),
  pending_confirmations: Type.Integer()
}, { $id: 'ChatSession' })
export type ChatSession = Static<typeof ChatSession>

export const ChatSessionPage = page(ChatSession, 'ChatSessionPage')
export const SessionParams = Type.Object({ session_id: Id })
export const SessionQuery = Type.Object({
  ...PageQuery,
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Words in the title or the messages' }))
})

export const ChatSessionDetail = Type.Object({
  ...ChatSession.properties,
  model: Type.String(),
  context: Type.Object({
    tokens: Type.Integer({ description: 'Of its last request, as the provider has counted; 0 before the first' }),
    window: Type.Integer({ description: 'The tokens that it may weigh, with the answer' })
  }),
  confirmations: Type.Array(Confirmation),
  spent: Nullable(Type.Object({ amount: Type.String(), currency: Type.String() }))
}, { $id: 'ChatSessionDetail' })

export const UpdateChatSession = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' })
}, { $id: 'UpdateChatSession', additionalProperties: false })

export const MessageCall = Type.Object({
  tool_call_id: Id,
  name: Type.String(),
  arguments: Type.Unknown(),
  effect: Words(['read', 'write']),
  status: Words(['denied', 'awaiting', 'approved', 'auto_approved', 'dispatching', ...callStatuses]),
  http_status: Nullable(Type.Integer()),
  result: Type.Unknown(),
  truncated: Type.Boolean()
}, { $id: 'MessageCall' })

export const ChatMessage = Type.Object({
  id: Id,
  run_id: Id,
  role: Words(['user', 'assistant']),
  text: Type.String(),
  tool_calls: Type.Array(MessageCall),
  stop_reason: Nullable(Type.String()),
  compaction: Nullable(Compaction),
  created_at: Timestamp
}, { $id: 'ChatMessage' })
export const ChatMessagePage = page(ChatMessage, 'ChatMessagePage')

export const Run = Type.Object({
  id: Id,
  session_id: Id,
  status: Words(runStatuses),
  reason: Nullable(Type.String()),
  step: Type.Integer(),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  usage: RunUsage,
  pending_confirmations: Type.Array(Id),
  cancel_requested: Type.Boolean(),
  created_at: Timestamp,
  finished_at: Nullable(Timestamp),
  stream_url: Type.String()
}, { $id: 'Run' })
export type Run = Static<typeof Run>
export const RunParams = Type.Object({ run_id: Id })
