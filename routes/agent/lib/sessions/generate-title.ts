import { listOpening } from '../../../../db/agent/queue.js'
import { findSession, setTitle } from '../../../../db/agent/sessions.js'
import { startTimer } from '../../../../lib/telemetry/events.js'
import type { ReservedCall } from '../../../../lib/llm/connected-model.js'
import { ModelError } from '../../../../lib/llm/errors.js'
import type { Charge } from '../../../../lib/llm/turn.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { InvalidRequest } from '../../../../schemas/errors.js'
import { SessionNotFound } from '../errors.js'
import { titlePrompt } from '../window/prompt.js'
import { redactText } from '../../../../lib/security/redaction.js'
import type { Deps } from '../run/run-state.js'
import { messageOf } from '../../../../schemas/unknown.js'

const maxTitle = 60
const maxOpening = 6
const maxCharacters = 4_000
const timeoutMs = 8_000

interface TitleMessage {
  role: 'user' | 'assistant'
  content: string
}

const tidy = (text: string): string => {
  const line =
    redactText(text)
      .split('\n')
      .map((part) => part.trim())
      .find((part) => part !== '') ?? ''
  const plain = line
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f]/g, '')
    .replace(/^["'#*\s]+|(?<!["'*.\s])["'*.\s]+$/g, '')
  return plain.length > maxTitle ? `${plain.slice(0, maxTitle - 1).trimEnd()}…`.toWellFormed() : plain
}

const purposeOf = (session_id: string | null) =>
  ({ purpose: 'title' as const, ...(session_id !== null && { session_id }) })

/** Records what the call for a title was charged, and reports it. */
const settle = async (deps: Deps, call: ReservedCall, sessionId: string | null,
  clock: ReturnType<typeof startTimer>, charge: Charge | undefined): Promise<void> => {
  const row = charge && deps.llm.toRow(charge, call)
  const { cost_usd_micros = 0 } = row ?? {}
  deps.telemetry.record({
    type: 'model_call',
    ...(sessionId === null ? {} : { session_id: sessionId }),
    ...clock.times(),
    model: row?.model ?? call.model,
    streamed: true,
    first_token_ms: null,
    usage: row ?? null,
    cost_usd_micros,
    stop_reason: null,
    error: null
  })
  try {
    if (row) await deps.llm.record(call.hold.payer, purposeOf(sessionId), row)
  } finally {
    call.hold.release(cost_usd_micros)
  }
}

/** @throws ModelError, DayBudgetReached */
const requestTitle = async (deps: Deps, payer: Principal, sessionId: string | null, transcript: string) => {
  const signal = AbortSignal.timeout(timeoutMs)
  const { workspace_id, user_id } = payer
  const call = await deps.llm.reserve({ workspace_id, user_id }, {
    model: deps.llm.smallModelOf(workspace_id) ?? deps.llm.modelOf(workspace_id),
    system: titlePrompt,
    max_tokens: 100,
    tools: [],
    messages: [{ role: 'user', content: `Give this conversation a title:\n\n${transcript}` }]
  }, signal)
  const clock = startTimer()
  let charge: Charge | undefined
  try {
    const turn = await deps.llm.stream(call, {
      signal, idleMs: timeoutMs, onText: () => {}, onBroken: (charged) => { charge = charged }
    })
    charge = turn
    return turn.parts.map((part) => part.type === 'text' ? String(part.text) : '').join('')
  } finally {
    await settle(deps, call, sessionId, clock, charge)
  }
}

const isTransient = (error: unknown): boolean => error instanceof ModelError && error.retryable

/** The model's title, or the first words when it gives none in time: a title never blocks anybody. */
const titleFor = async (
  deps: Deps,
  principal: Principal,
  sessionId: string | null,
  messages: TitleMessage[]
): Promise<{ title: string; source: 'auto' | 'fallback' }> => {
  const transcript = messages.map(({ role, content }) => `${role}: ${content.slice(0, maxCharacters)}`)
    .join('\n\n').toWellFormed()
  const first = messages.find(({ role }) => role === 'user') ?? messages[0]
  const fallback = tidy(first?.content ?? '') || 'New conversation'
  const attempt = () => requestTitle(deps, principal, sessionId, transcript)
  try {
    const text = await attempt().catch((error: unknown) => {
      if (isTransient(error)) return attempt()
      throw error
    })
    const title = tidy(text)
    return title === '' ? { title: fallback, source: 'fallback' } : { title, source: 'auto' }
  } catch (error) {
    deps.log.warn({ reason: messageOf(error) }, 'no title from the model')
    return { title: fallback, source: 'fallback' }
  }
}

const invalid = (message: string) => InvalidRequest(message, { errors: [{ pointer: '', code: 'one_of', message }] })

/**
 * Titles a session of the caller, and stores it unless they gave it one themselves; or titles messages.
 * @throws session_not_found, invalid_request unless exactly one of the two is given
 */
export const generateTitle = async (
  deps: Deps,
  principal: Principal,
  body: { session_id?: string; messages?: TitleMessage[] }
) => {
  if ((body.session_id === undefined) === (body.messages === undefined)) {
    throw invalid('Give either session_id or messages')
  }
  if (body.messages) return { session_id: null, title: (await titleFor(deps, principal, null, body.messages)).title }
  const { workspace_id, user_id } = principal
  const sessionId = body.session_id ?? ''
  if (!(await findSession(deps.db, workspace_id, user_id, sessionId))) throw SessionNotFound()
  const opening = await listOpening(deps.db, workspace_id, sessionId, maxOpening)
  const { title, source } = await titleFor(
    deps,
    principal,
    sessionId,
    opening.map((item) => ({ role: item.role, content: item.search_text }))
  )
  return {
    session_id: sessionId,
    title: (await setTitle(deps.db, workspace_id, user_id, sessionId, title, source)) ?? title
  }
}
