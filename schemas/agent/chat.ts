import { Type, type Static } from '@sinclair/typebox'
import { Id, Timestamp, Words } from '../common.js'
import { AttachmentIds } from './attachments.js'
import { runStatuses } from './events.js'
import { Effort, ModelName, ThinkingMode } from './models.js'

export const ChatContext = Type.Object(
  {
    current_page: Type.Optional(Type.String({ maxLength: 500 })),
    selected_project_id: Type.Optional(Id)
  },
  { additionalProperties: false }
)
export type ChatContext = Static<typeof ChatContext>

export const ChatRequest = Type.Object(
  {
    message: Type.String({ minLength: 1, maxLength: 100_000, pattern: '\\S' }),
    session_id: Type.Optional(Id),
    attachment_ids: Type.Optional(AttachmentIds),
    context: Type.Optional(ChatContext),
    model: Type.Optional(Type.String({
      ...ModelName, description: 'Of a new session; that of one that exists is changed by PATCH'
    })),
    effort: Type.Optional(Type.Unsafe<Effort>({ ...Effort, description: 'Of a new session' })),
    thinking: Type.Optional(Type.Unsafe<string>({ ...ThinkingMode, description: 'Of a new session' })),
    on_pending: Type.Optional(
      Words(['keep', 'supersede', 'reject'], {
        description: 'What a new message does with approvals of the session that wait. keep (default): they go on ' +
          'waiting, and the model learns that they do; supersede: they are closed unexecuted; reject: the message is ' +
          'refused while the live run waits'
      })
    ),
    wait_s: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 3600, description: 'How long the stream stays open while approvals wait' })
    )
  },
  { $id: 'ChatRequest', additionalProperties: false }
)
export type ChatRequest = Static<typeof ChatRequest>

export const QueueMessage = Type.Object({
  message: ChatRequest.properties.message,
  context: ChatRequest.properties.context,
  attachment_ids: ChatRequest.properties.attachment_ids
}, { $id: 'QueueMessage', additionalProperties: false })
export type QueueMessage = Static<typeof QueueMessage>

export const QueuedMessage = Type.Object({
  id: Id,
  session_id: Id,
  message: Type.String(),
  created_at: Timestamp
}, { $id: 'QueuedMessage' })
export type QueuedMessage = Static<typeof QueuedMessage>

export const RunAccepted = Type.Object(
  {
    session_id: Id,
    run_id: Id,
    status: Words(runStatuses),
    stream_url: Type.String(),
    run_url: Type.String()
  },
  { $id: 'RunAccepted' }
)

export const ResumeHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({ maxLength: 100, description: 'The last id held; the stream goes on after it' })
  )
})

export const ChatHeaders = Type.Object({
  prefer: Type.Optional(
    Type.String({ maxLength: 200, description: 'respond-async answers 202 instead of the stream' })
  ),
  'idempotency-key': Type.Optional(
    Type.String({
      description: 'The same key joins the run it started: 1 to 200 printable ASCII characters without spaces, such ' +
        'as a UUID, bare or in quotes'
    })
  ),
  ...ResumeHeaders.properties
})
