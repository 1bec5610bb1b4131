import { createParser } from 'eventsource-parser'
import type { ChatEvent } from '../../schemas/agent/events.js'
import type { Approval } from '../task.js'
import type { World } from './world.js'

type Asked = Extract<ChatEvent, { type: 'confirmation_required' }>

/** What a person is shown before a write. */
export type Proposal = Pick<Asked, 'session_id' | 'confirmation_id' | 'kind' | 'name' | 'arguments' | 'target' |
  'summary' | 'preview' | 'input_digest'>
type Done = Extract<ChatEvent, { type: 'done' }>

/** One conversation, from the first message to the end of the last run. */
export interface Talk {
  session: string
  /** The last answer of the assistant. */
  reply: string
  proposals: (Proposal & { approved: boolean })[]
  /** Writes that were executed. */
  executed: string[]
  turns: number
  calls: number
  tokensIn: number
  tokensOut: number
  /** US dollars by Steward's price table; null = the price of the model is not known. */
  cost: number | null
  problems: string[]
}

export type Decide = (proposal: Proposal) => boolean

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @returns whether the value has all that the pattern has */
const includes = (value: unknown, pattern: unknown): boolean => isObject(pattern)
  ? isObject(value) && Object.entries(pattern).every(([name, inner]) => includes(value[name], inner))
  : JSON.stringify(value) === JSON.stringify(pattern)

const fits = ({ name, target, arguments: args, summary, preview }: Proposal, approval: Approval): boolean =>
  name === approval.tool && includes(args, approval.with ?? {}) &&
  [summary, ...preview.map(({ after }) => after)].some((text) => text?.includes(approval.shows ?? '')) &&
  (approval.target === undefined || [target?.id, ...target?.names ?? []].includes(approval.target))

/** @returns a person who approves each of these plans once, and no other */
export const personOf = (approvals: Approval[]): Decide => {
  const left = [...approvals]
  return (proposal) => {
    const at = proposal.kind === 'tool' ? left.findIndex((approval) => fits(proposal, approval)) : -1
    if (at !== -1) left.splice(at, 1)
    return at !== -1
  }
}

async function * eventsOf (body: ReadableStream<Uint8Array>): AsyncGenerator<ChatEvent> {
  const events: ChatEvent[] = []
  const parser = createParser({
    // The server's own events, whose schema is ChatEvent.
    onEvent: ({ data }) => { events.push(JSON.parse(data) as ChatEvent) }
  })
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    yield * events.splice(0)
  }
}

export const emptyTalk = (): Talk => ({
  session: '',
  reply: '',
  proposals: [],
  executed: [],
  turns: 0,
  calls: 0,
  tokensIn: 0,
  tokensOut: 0,
  cost: 0,
  problems: []
})

const addUsage = (talk: Talk, { status, usage }: Done): void => {
  talk.turns += usage.model_calls
  talk.calls += usage.tool_calls
  talk.tokensIn += usage.input_tokens + usage.cache_read_tokens
  talk.tokensOut += usage.output_tokens
  talk.cost = talk.cost === null || usage.cost === null ? null : talk.cost + Number(usage.cost.amount)
  if (status !== 'completed') talk.problems.push(`the run ended as ${status}`)
}

/** Follows a conversation as a client does, and lets the person decide about what is asked. */
class Conversation {
  readonly talk = emptyTalk()
  readonly #writes = new Set<unknown>()

  constructor (readonly world: World, readonly token: string, readonly decide: Decide, readonly timeoutMs: number) {}

  async say (message: string): Promise<void> {
    const { talk } = this
    const answer = await this.#post('chat', { message, ...(talk.session && { session_id: talk.session }) })
    if (!answer.ok || !answer.body) throw new Error(`chat: ${answer.status} ${await answer.text()}`)
    talk.session = String(answer.headers.get('steward-session-id'))
    const texts = new Map<unknown, string>()
    for await (const event of eventsOf(answer.body)) {
      if (event.type === 'content') {
        texts.set(event.message_id, event.reset ? '' : (texts.get(event.message_id) ?? '') + event.text)
      }
      await this.#take(event)
    }
    talk.reply = [...texts.values()].at(-1) ?? ''
  }

  async #take (event: ChatEvent): Promise<void> {
    if (event.type === 'confirmation_required') await this.#answer(event)
    if (event.type === 'tool_call' && event.effect === 'write') this.#writes.add(event.tool_call_id)
    if (event.type === 'tool_result' && this.#writes.has(event.tool_call_id) && event.status === 'succeeded') {
      this.talk.executed.push(event.name)
    }
    if (event.type === 'error') this.talk.problems.push(`${event.code}: ${event.message}`)
    if (event.type !== 'done') return
    if (event.final) addUsage(this.talk, event)
    else this.talk.problems.push('the run still waits for an approval')
  }

  async #answer (proposal: Proposal): Promise<void> {
    const approved = this.decide(proposal)
    this.talk.proposals.push({ ...proposal, approved })
    const { session_id, confirmation_id, input_digest } = proposal
    const answer = await this.#post('confirm',
      { session_id, confirmation_id, approved, ...(approved ? { input_digest } : { reason: 'Not asked for' }) })
    if (!answer.ok) this.talk.problems.push(`confirm: ${answer.status} ${await answer.text()}`)
  }

  #post (path: string, body: object): Promise<Response> {
    return fetch(`${this.world.url}/api/v1/agent/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(this.timeoutMs)
    })
  }
}

/** Says one message after the other. @returns what came of it, whatever it was */
export const converse = async (world: World, says: string[], decide: Decide,
  { token = world.token, timeoutMs = 600_000 } = {}): Promise<Talk> => {
  const conversation = new Conversation(world, token, decide, timeoutMs)
  try {
    for (const message of says) await conversation.say(message)
  } catch (error) {
    conversation.talk.problems.push((error as Error).message)
  }
  return conversation.talk
}
