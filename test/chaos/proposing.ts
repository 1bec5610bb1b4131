import type { Fleet } from './fleet.js'
import { ask, type Voter } from './voters.js'

export interface Question { confirmation_id: string, session_id: string, input_digest: string }

const mcp = (name: string, args: object) =>
  ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })

/** More than deaths can come to one conversation. */
const mostTurns = 20

/** How a project is asked for, and what is asked then. */
export const proposersOf = ({ url, world }: Pick<Fleet, 'url' | 'world'>) => {
  const pick = async (callId: string, requester: Voter): Promise<Question> => {
    const { body } = await ask(url, 'GET', `/api/v1/agent/tool-calls/${callId}`, requester.headers)
    const { confirmation, session_id } =
      body as unknown as { confirmation: { id: string, input_digest: string }, session_id: string }
    return { confirmation_id: confirmation.id, session_id, input_digest: confirmation.input_digest }
  }

  /** Proposes as a client of MCP does. @returns the call's id */
  const proposeByMcp = async (requester: Voter, name: string): Promise<string> => {
    const headers = { ...requester.headers, accept: 'application/json, text/event-stream' }
    const { status, body } = await ask(url, 'POST', '/mcp', headers, mcp('createProject', { name }))
    const { result } = body as unknown as { result?: { structuredContent?: { tool_call_id?: string } } }
    const id = result?.structuredContent?.tool_call_id
    if (id === undefined) throw new Error(`${status} ${JSON.stringify(body)}`)
    return id
  }

  /** Says it to the assistant. @returns the call's id, once it is asked */
  const proposeByChat = async (requester: Voter, name: string): Promise<string> => {
    const message = `please make ${name}`
    const asks = { content: [{ type: 'tool_use' as const, name: 'createProject', input: { name } }] }
    const ends = { content: [{ type: 'text' as const, text: 'All right.' }] }
    // An instance that dies takes its turn with it; the one that goes on asks for the same again.
    const { control } = world.anthropic
    control.script({ turns: Array.from({ length: mostTurns }, () => asks), match: { text: message, answered: false } })
    control.script({ turns: Array.from({ length: mostTurns }, () => ends), match: { text: message, answered: true } })
    const headers = { ...requester.headers, prefer: 'respond-async' }
    const begun = await ask(url, 'POST', '/api/v1/agent/chat', headers, { message })
    const { session_id } = begun.body as unknown as { session_id?: string }
    if (session_id === undefined) throw new Error(`${begun.status} ${JSON.stringify(begun.body)}`)
    for (;;) {
      const { body } =
        await ask(url, 'GET', `/api/v1/agent/confirmations?session_id=${session_id}`, requester.headers)
      const { items } = body as unknown as { items: { tool_call_id: string }[] }
      if (items[0]) return items[0].tool_call_id
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return { pick, proposeByMcp, proposeByChat }
}
