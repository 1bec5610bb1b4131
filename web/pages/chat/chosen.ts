import type { Schemas } from '../../api/client'

/** What a person has chosen for a session; null = as configured. */
export interface Chosen {
  model: string | null
  effort: NonNullable<Schemas['ChatSessionDetail']['effort']> | null
  thinking: string | null
}

export const configured: Chosen = { model: null, effort: null, thinking: null }

/** @returns the members of a message that begins a session */
export const fieldsOf = ({ model, effort, thinking }: Chosen): Pick<Schemas['ChatRequest'], keyof Chosen> =>
  ({ ...(model && { model }), ...(effort && { effort }), ...(thinking && { thinking }) })
