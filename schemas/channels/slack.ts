import { Type } from '@sinclair/typebox'

export const SlackAnswer = Type.Object({
  response_type: Type.Literal('ephemeral'),
  text: Type.String()
}, { $id: 'SlackAnswer', description: 'What Slack shows to the person who asked, and to no one else' })

export const SlackTaken = Type.Object({}, { $id: 'SlackTaken', description: 'Taken: Slack shows what became of it' })

/** What a button of a card carries back. Nothing of it is believed: it says what to look up. */
export interface ButtonValue {
  workspace_id: string
  session_id: string
  confirmation_id: string
  input_digest: string
}

/** Where a click came from: the record has it with the decision. */
export interface Origin { remote_address: string, request_id: string }

export interface Click {
  /** `team:user`. */
  address: string
  user: string
  channel: string
  approved: boolean
  value: ButtonValue
  origin: Origin
}
