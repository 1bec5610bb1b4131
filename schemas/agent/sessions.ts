import { Type, type Static } from '@sinclair/typebox'
import { Defaulted, Id, Nullable, PageQuery, Timestamp, Words, page } from '../common.js'
import { Attachment } from './attachments.js'
import { QueuedMessage } from './chat.js'
import { Confirmation } from './confirmations.js'
import { allCallStatuses, Compaction, DecidedBy, runStatuses, RunUsage } from './events.js'
import { Effort, ModelName, ThinkingMode } from './models.js'

export const ratings = ['good', 'bad'] as const

export const Feedback = Type.Object({
  rating: Words(ratings),
  comment: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S' })))
}, { $id: 'Feedback', additionalProperties: false })
export type Feedback = Static<typeof Feedback>

export const GivenFeedback = Type.Object({
  rating: Words(ratings), comment: Nullable(Type.String())
}, { $id: 'GivenFeedback' })

export const FeedbackEntry = Type.Object({
  id: Id,
  user_id: Id,
  session_id: Id,
  message_id: Id,
  model: Type.String({ description: 'The session\'s present one' }),
  ...GivenFeedback.properties,
  created_at: Timestamp,
  updated_at: Timestamp
}, { $id: 'FeedbackEntry' })

export const FeedbackPage = page(FeedbackEntry, 'FeedbackPage')
export const ListFeedback = Type.Object(PageQuery)
export const FeedbackParams = Type.Object({ session_id: Id, message_id: Id })

export const GenerateTitle = Type.Object({
  session_id: Type.Optional(Id),
  messages: Type.Optional(Type.Array(Type.Object({
    role: Words(['user', 'assistant']),
    content: Type.String({ maxLength: 20_000 })
  }, { additionalProperties: false }), { minItems: 1, maxItems: 50 }))
}, { $id: 'GenerateTitle', additionalProperties: false, description: 'A session, or messages; exactly one of them' })

export const SessionTitle = Type.Object({
  session_id: Nullable(Id),
  title: Type.String()
}, { $id: 'SessionTitle' })

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
  pending_confirmations: Type.Integer(),
  pinned: Type.Boolean()
}, { $id: 'ChatSession' })
export type ChatSession = Static<typeof ChatSession>

export const FoundChatSession = Type.Object({
  ...ChatSession.properties,
  excerpt: Type.Optional(Nullable(Type.String({
    description: 'Of the newest message that has all words, around the first; null: only the title has them. With `q`'
  })))
}, { $id: 'FoundChatSession' })

export const ChatSessionPage = page(FoundChatSession, 'ChatSessionPage')
export const SessionParams = Type.Object({ session_id: Id })
export const SessionQuery = Type.Object({
  ...PageQuery,
  q: Type.Optional(Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Words that the title, or one message, has, all of them and in any order'
  })),
  pinned: Type.Optional(Type.Boolean({ description: 'true: only the pinned ones; false: only the others' }))
})

export const ChatSessionDetail = Type.Object({
  ...ChatSession.properties,
  model: Type.String({ description: 'That is asked next' }),
  own_model: Nullable(Type.String({ description: 'As it was chosen for this session; null = as configured' })),
  effort: Nullable(Effort),
  thinking: Nullable(ThinkingMode),
  shared: Type.Boolean({ description: 'Everyone in the workspace may read it' }),
  context: Type.Object({
    tokens: Type.Integer({ description: 'Of its last request, as the provider has counted; 0 before the first' }),
    window: Type.Integer({ description: 'The tokens that it may weigh, with the answer' })
  }),
  confirmations: Type.Array(Confirmation),
  queued: Type.Array(QueuedMessage, { description: 'What is sent when the live run has ended, in this order' }),
  spent: Nullable(Type.Object({ amount: Type.String(), currency: Type.String() }))
}, { $id: 'ChatSessionDetail' })
export type ChatSessionDetail = Static<typeof ChatSessionDetail>

export const UpdateChatSession = Type.Object({
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' })),
  pinned: Type.Optional(Type.Boolean()),
  shared: Type.Optional(Type.Boolean({
    description: 'Everyone in the workspace may read the session with all that its tools returned, now and later'
  })),
  model: Type.Optional(Nullable(Type.String({
    ...ModelName, description: 'From the next message on; null = as configured'
  }))),
  effort: Type.Optional(Nullable(Effort)),
  thinking: Type.Optional(Nullable(ThinkingMode))
}, { $id: 'UpdateChatSession', additionalProperties: false, minProperties: 1 })
export type UpdateChatSession = Static<typeof UpdateChatSession>

export const SharedSession = Type.Object({
  id: Id,
  title: Nullable(Type.String()),
  owner: Type.Object({ id: Id, name: Type.String() }),
  created_at: Timestamp,
  last_activity_at: Timestamp,
  shared_at: Timestamp
}, { $id: 'SharedSession' })
export type SharedSession = Static<typeof SharedSession>

export const SharedSessionPage = page(SharedSession, 'SharedSessionPage')

export const ForkChatSession = Type.Object({
  before_message_id: Type.Optional(Type.Unsafe<string>({
    ...Id, description: 'A message of the person, which the new session does not have; default: it has all'
  })),
  after_message_id: Type.Optional(Type.Unsafe<string>({
    ...Id, description: 'A message with whose answer, whole, the new session ends; instead of `before_message_id`'
  }))
}, { $id: 'ForkChatSession', additionalProperties: false, maxProperties: 1 })
export type ForkChatSession = Static<typeof ForkChatSession>

export const ExportQuery = Type.Object({
  format: Defaulted(Words(['markdown', 'json'], { default: 'markdown' }))
})

export const MessageCall = Type.Object({
  tool_call_id: Id,
  name: Type.String(),
  arguments: Type.Unknown(),
  effect: Words(['read', 'write']),
  status: Words(allCallStatuses),
  decided_by: Type.Optional(DecidedBy),
  http_status: Nullable(Type.Integer()),
  result: Type.Unknown(),
  truncated: Type.Boolean()
}, { $id: 'MessageCall' })

export const ChatMessage = Type.Object({
  id: Id,
  run_id: Id,
  role: Words(['user', 'assistant']),
  text: Type.String(),
  attachments: Type.Array(Attachment),
  tool_calls: Type.Array(MessageCall),
  stop_reason: Nullable(Type.String()),
  model: Nullable(Type.String({ description: 'That gave the answer' })),
  feedback: Nullable(GivenFeedback),
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
