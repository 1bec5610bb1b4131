import { Type, type Static } from '@sinclair/typebox'
import { Id, Words } from '../common.js'
import { runStatuses } from './events.js'

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
    context: Type.Optional(ChatContext),
    on_pending: Type.Optional(
      Words(['supersede', 'reject'], {
        description: 'What a new message does while approvals wait: close them unexecuted (default), or be refused'
      })
    ),
    wait_s: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 3600, description: 'How long the stream stays open while approvals wait' })
    )
  },
  { $id: 'ChatRequest', additionalProperties: false }
)
export type ChatRequest = Static<typeof ChatRequest>

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
