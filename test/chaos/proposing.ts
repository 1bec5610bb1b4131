import { randomUUID } from 'node:crypto'
import { itemAt } from '../../schemas/unknown.js'
import type { Fleet } from './fleet.js'
import { ask, type Voter } from './voters.js'

interface Call { confirmation: { id: string, input_digest: string }, session_id: string }

interface Called { result?: { structuredContent?: { tool_call_id?: string } } }

export const isOpen = (status: string): boolean => ['awaiting', 'approved', 'dispatching'].includes(status)

export interface Question { confirmation_id: string, session_id: string, input_digest: string }

const mcp = (name: string, args: object) =>
  ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })

/** More than deaths can come to one conversation. */
const mostTurns = 20

/** How a project is asked for, and what is asked then. */
export const proposersOf = ({ url, world }: Pick<Fleet, 'url' | 'world'>) => {
  const pick = async (callId: string, requester: Voter): Promise<Question> => {
    const { body: { confirmation, session_id } } =
      await ask<Call>(url, 'GET', `/api/v1/agent/tool-calls/${callId}`, requester.headers)
    return { confirmation_id: confirmation.id, session_id, input_digest: confirmation.input_digest }
  }

  /** Proposes as a client of MCP does. @returns the call's id */
  const proposeByMcp = async (requester: Voter, name: string): Promise<string> => {
    const headers = { ...requester.headers, accept: 'application/json, text/event-stream' }
    const { status, body } = await ask<Called>(url, 'POST', '/mcp', headers, mcp('createProject', { name }))
    const id = body.result?.structuredContent?.tool_call_id
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
    const begun = await ask<{ session_id?: string }>(url, 'POST', '/api/v1/agent/chat', headers, { message })
    const { session_id } = begun.body
    if (session_id === undefined) throw new Error(`${begun.status} ${JSON.stringify(begun.body)}`)
    for (;;) {
      const { body: { items } } = await ask<{ items: { tool_call_id: string }[] }>(
        url, 'GET', `/api/v1/agent/confirmations?session_id=${session_id}`, requester.headers)
      if (items[0]) return items[0].tool_call_id
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  /** Every third conversation is over MCP. @returns who has asked for which project, and the call's id */
  const propose = async (index: number, voters: readonly Voter[]) => {
    const byMcp = index % 3 === 0
    // MCP takes no cookie: there it is one of those with a token.
    const able = byMcp ? voters.filter(({ headers }) => 'authorization' in headers) : voters
    const requester = itemAt(able, index % able.length)
    const name = `Project ${index} ${randomUUID()}`
    return { requester, name, call: await (byMcp ? proposeByMcp(requester, name) : proposeByChat(requester, name)) }
  }

  /** @returns what the call is at, once that changes or two seconds have passed */
  const statusOf = async (callId: string, requester: Voter): Promise<string> => (await ask<{ status: string }>(
    url, 'GET', `/api/v1/agent/tool-calls/${callId}?wait_s=2`, requester.headers)).body.status
  return { pick, propose, proposeByChat, statusOf }
}
