import { Type, type Static } from '@sinclair/typebox'

/** The job with which the area of the agent reports a person who used a question that they may not see. */
export const refusedAttemptJob = 'channels.note-refused-attempt'

export const RefusedAttempt = Type.Object({
  workspace_id: Type.String(),
  /** Who was refused. */
  user_id: Type.String(),
  confirmation_id: Type.String(),
  /** What is refused to one who decides is in the record already, as any write is. */
  how: Type.Union([Type.Literal('read'), Type.Literal('decide')]),
  origin: Type.Object({ remote_address: Type.String(), request_id: Type.String() })
})
export type RefusedAttempt = Static<typeof RefusedAttempt>
