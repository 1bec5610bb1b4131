import { v7 as uuid } from 'uuid'
import { listOpening } from '../../../db/agent/messages.js'
import { findSession, setTitle } from '../../../db/agent/sessions.js'
import { insertUsage } from '../../../db/agent/usage.js'
import { startClock } from '../../../plugins/fact-clock.js'
import type { Usage } from '../../../plugins/llm-turn.js'
import type { Principal } from '../../../plugins/principal.js'
import { InvalidRequest } from '../../../schemas/errors.js'
import { SessionNotFound } from './errors.js'
import { titlePrompt } from './prompt.js'
import { redactText } from './redact.js'
import type { Deps } from './run-state.js'

const maxTitle = 60
const maxOpening = 6
const maxCharacters = 4_000
const timeoutMs = 8_000

interface Spoken {
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
    .replace(/^["'#*\s]+|["'*.\s]+$/g, '')
  return plain.length > maxTitle ? `${plain.slice(0, maxTitle - 1).trimEnd()}…`.toWellFormed() : plain
}

/** Keeps what the model was asked for a title, and tells it. */
const keepUsage = async (deps: Deps, { workspace_id, user_id }: Principal, session_id: string | null,
  call: { started_at: number, ms: number, usage: Usage }): Promise<void> => {
  const { usage } = call
  const { model } = deps.llm
  const cost_usd_micros = deps.llm.cost(usage) ?? 0
  deps.telemetry.tell({
    type: 'model_call',
    ...(session_id === null ? {} : { session_id }),
    ...call,
    model,
    streamed: false,
    first_token_ms: null,
    cost_usd_micros,
    stop_reason: null,
    error: null
  })
  const ids = { id: uuid(), workspace_id, user_id, session_id, run_id: null, provider_request_id: null }
  await insertUsage(deps.db, { ...ids, purpose: 'title', model, ...usage, cost_usd_micros })
}

/** The model's title, or the first words when it gives none in time: a title never blocks anybody. */
const titleFor = async (
  deps: Deps,
  principal: Principal,
  sessionId: string | null,
  messages: Spoken[]
): Promise<{ title: string; source: 'auto' | 'fallback' }> => {
  const transcript = messages.map(({ role, content }) => `${role}: ${content.slice(0, maxCharacters)}`)
    .join('\n\n').toWellFormed()
  const first = messages.find(({ role }) => role === 'user') ?? messages[0]
  const fallback = tidy(first?.content ?? '') || 'New conversation'
  const clock = startClock()
  try {
    const { text, usage } = await deps.llm.complete(
      {
        model: deps.llm.model,
        system: titlePrompt,
        max_tokens: 100,
        messages: [{ role: 'user', content: `Give this conversation a title:\n\n${transcript}` }]
      },
      timeoutMs
    )
    await keepUsage(deps, principal, sessionId, { ...clock.times(), usage })
    const title = tidy(text)
    return title === '' ? { title: fallback, source: 'fallback' } : { title, source: 'auto' }
  } catch (error) {
    deps.log.warn({ reason: (error as Error).message }, 'no title from the model')
    return { title: fallback, source: 'fallback' }
  }
}

const refuse = (message: string) => InvalidRequest(message, { errors: [{ pointer: '', code: 'one_of', message }] })

/**
 * Titles a session of the caller, and stores it unless they gave it one themselves; or titles messages.
 * @throws session_not_found, invalid_request unless exactly one of the two is given
 */
export const generateTitle = async (
  deps: Deps,
  principal: Principal,
  body: { session_id?: string; messages?: Spoken[] }
) => {
  if ((body.session_id === undefined) === (body.messages === undefined)) {
    throw refuse('Give either session_id or messages')
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
