import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { makeAnswer } from './answer.js'
import { ApiError, errorType, invalid } from './api-error.js'
import { think } from './assistant/index.js'
import { countInputTokens } from './cache.js'
import { framesOf } from './events.js'
import type { JournalEntry } from './journal.js'
import type { SandboxState } from './state.js'
import { streamFrames, type Wire } from './stream.js'
import type { Fault, Turn } from './turn.js'
import { validateRequest } from './validate/request.js'
import { CountTokensBody, MessagesBody } from './validate/shape.js'

const pausedLimit = 1000

/** Answers a request whose body has the form of the Messages API, on the wire that it came by. */
export type Answer = (request: FastifyRequest, reply: FastifyReply, wire?: Wire) => Promise<object | undefined>

/** @returns what answers requests, and the turns that it has paused */
export function makeAnswers (state: SandboxState): { answer: Answer, paused: PausedTurns } {
  const paused = new PausedTurns()
  const answer: Answer = async (request, reply, wire) => {
    // The schema has validated the top level; validateRequest on the next line validates the rest.
    const body = request.body as MessageCreateParamsBase
    validateRequest(body, (content) => paused.has(content))
    if (mayBeLong(state, request.headers['content-length'])) requireRoom(state, body)
    const entry = state.entries.get(request)
    const { turn, fault } = nextTurn(state, body, entry)
    if (fault && isBefore(fault)) return await failBefore(fault, reply)
    const made = makeAnswer({ ...turn, ...(fault && { fault }) }, body, state.cache.use(body))
    if (made.message.stop_reason === 'pause_turn') paused.add(made.message.content)
    if (!body.stream) return await answerWhole(reply, made.message, fault)
    const pace = { delayMs: turn.delay_ms ?? 0, ...(fault && { fault }), ...(wire && { wire }) }
    const end = await streamFrames(reply, framesOf(made), pace)
    if (entry) entry.outcome = end
    return undefined
  }
  return { answer, paused }
}

/** POST /v1/messages and POST /v1/messages/count_tokens. */
export function messageRoutes (app: FastifyInstance, state: SandboxState,
  { answer, paused }: ReturnType<typeof makeAnswers>) {
  app.post('/v1/messages', { schema: { body: MessagesBody } }, (request, reply) => answer(request, reply))

  app.post('/v1/messages/count_tokens', { schema: { body: CountTokensBody } }, async (request) => {
    const body = { max_tokens: 1, ...request.body as Omit<MessageCreateParamsBase, 'max_tokens'> } // As above.
    validateRequest(body, (content) => paused.has(content))
    return { input_tokens: countInputTokens(body, state.cache.weight) }
  })
}

function nextTurn (state: SandboxState, body: MessageCreateParamsBase, entry?: JournalEntry) {
  const queued = state.book.takeFault(body)
  // A failure before the response does not use up the script's turn, which is for the client's retry.
  const scripted = queued && isBefore(queued) ? undefined : state.book.takeTurn(body)
  const turn: Turn = scripted ?? { delay_ms: state.settings.delayMs, ...state.script?.(body) ?? think(body) }
  const fault = queued ?? turn.fault
  if (entry) entry.answered_by = scripted ? 'script' : 'assistant'
  if (entry && fault) entry.fault = fault.kind
  return { turn, fault }
}

/** A token has four characters: most requests need not be counted. */
const mayBeLong = ({ cache, settings: { windowTokens } }: SandboxState, bytes: string | undefined) =>
  Number(bytes ?? Infinity) * cache.weight > windowTokens * 3

/** The window is counted as the API counts, whatever the client has estimated. */
function requireRoom ({ cache, settings: { windowTokens } }: SandboxState, body: MessageCreateParamsBase) {
  const tokens = countInputTokens(body, cache.weight)
  if (tokens > windowTokens) throw invalid(`prompt is too long: ${tokens} tokens > ${windowTokens} maximum`)
}

const isBefore = ({ kind }: Fault) => kind === 'http_error' || kind === 'reset' || kind === 'no_response'

async function failBefore (fault: Fault, reply: FastifyReply) {
  if (fault.kind === 'http_error') throw httpError(fault)
  reply.hijack()
  if (fault.kind === 'reset') reply.raw.destroy()
  else await once(reply.raw, 'close')
  return reply
}

const messageOf: Record<number, string> = {
  401: 'invalid x-api-key',
  429: 'This request would exceed your organization\'s rate limit. Please try again later.',
  500: 'Internal server error',
  529: 'Overloaded'
}

function httpError ({ status = 500, error_type: type, message, retry_after_ms: retryAfter }: Fault) {
  return new ApiError(status, message ?? messageOf[status] ?? errorType(status), type ?? errorType(status), {
    ...(retryAfter !== undefined && {
      'retry-after': String(Math.ceil(retryAfter / 1000)), 'retry-after-ms': String(retryAfter)
    })
  })
}

/** A fault of a stream, as an error for a client that does not stream. */
async function answerWhole (reply: FastifyReply, message: object, fault?: Fault) {
  switch (fault?.kind) {
    case 'stream_error': throw httpError({ ...fault, status: fault.error_type === 'api_error' ? 500 : 529 })
    case 'cut': case 'eof': case 'hang': case 'ping_only':
      return await failBefore({ kind: fault.kind === 'cut' || fault.kind === 'eof' ? 'reset' : 'no_response' }, reply)
    case 'malformed_json': return reply.type('application/json').send(JSON.stringify(message).slice(0, -2))
    default: return message
  }
}

// Only a paused turn may be the last message of the next request.
class PausedTurns {
  #digests = new Set<string>()

  add (content: unknown) {
    this.#digests.add(digest(content))
    const [oldest] = this.#digests
    if (this.#digests.size > pausedLimit && oldest) this.#digests.delete(oldest)
  }

  has (content: unknown) {
    return this.#digests.has(digest(content))
  }
}

const digest = (content: unknown) => createHash('sha256').update(JSON.stringify(content, (key, value: unknown) =>
  key === 'cache_control' || key === 'citations' || key === 'caller' ? undefined : value)).digest('base64')
