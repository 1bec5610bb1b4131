import { api, body, type Schemas } from '../api/client'

/** What waits for a person, told by the stream or listed by the inbox. */
export interface Approval {
  id: string
  kind: 'tool' | 'budget'
  session_id: string
  tool_call_id: string | null
  name: string
  arguments: unknown
  summary: string
  preview: Schemas['PreviewRow'][]
  risk: 'low' | 'medium' | 'high'
  editable: string[]
  input_digest: string
  expires_at: string
  status: Schemas['Confirmation']['status']
}

export const fromEvent = ({ confirmation_id: id, ...event }: Schemas['ConfirmationRequiredEvent']): Approval =>
  ({ ...event, id, status: 'pending' })

export interface Decision { approved: boolean, reason?: string, arguments?: Record<string, unknown> }

/** @returns how the approval stands now; the digest makes sure that it is what was shown. @throws Problem */
export const decide = async (approval: Approval, decision: Decision): Promise<Approval> => {
  const { id: confirmation_id, session_id, input_digest } = approval
  const decided = await body(api.POST('/api/v1/agent/confirm', {
    body: { session_id, confirmation_id, input_digest, ...decision }
  }))
  return { ...approval, status: decided.status, arguments: decided.tool_call?.arguments ?? approval.arguments }
}
