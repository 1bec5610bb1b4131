import { asAdmin, type App } from '../../app.js'

interface Row { label: string, before: string | null, after: string | null, diff?: string }

export interface Proposed {
  tool_call_id: string
  session_id: string
  confirmation: { id: string, summary: string, preview: Row[], arguments: Record<string, unknown>, risk: string }
}

/** Proposes writes as a client of the API does, and decides them. */
export const proposer = (app: App) => {
  const post = (path: string, payload: object) =>
    app.inject({ method: 'POST', url: `/api/v1/agent${path}`, headers: asAdmin, payload })
  const propose = (name: string, args: object) => post('/tool-calls', { name, arguments: args })
  const ended = async (id: string) =>
    (await app.inject({ url: `/api/v1/agent/tool-calls/${id}?wait_s=20`, headers: asAdmin })).json()
  const approve = ({ session_id, confirmation }: Proposed) =>
    post('/confirm', { session_id, confirmation_id: confirmation.id, approved: true })
  return {
    propose,
    approve,
    ended,
    /** @returns the pending approval of a proposed write */
    ask: async (name: string, args: object): Promise<Proposed> => {
      const answer = await propose(name, args)
      if (answer.statusCode !== 202) throw new Error(answer.payload)
      return answer.json()
    },
    /** @returns the call when it has ended */
    run: async (proposed: Proposed) => {
      const answer = await approve(proposed)
      if (answer.statusCode !== 200) throw new Error(answer.payload)
      return ended(proposed.tool_call_id)
    }
  }
}
