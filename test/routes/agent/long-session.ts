import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { asAdmin, type App, type AppTest } from '../../app.js'
import { chat, framesOf, scripted, startChatApp, type Frame, type Turn } from '../../chat.js'
import { makeToken } from '../account/actors.js'

/** A conversation with large results, as a token that has few tools. */
export const makeLongSession = async (t: AppTest, contextTokens: number,
  overrides: Record<string, string> = {}) => {
  const { app, anthropic } = await startChatApp(t, {
    LIMITS: JSON.stringify({
      context_tokens: contextTokens,
      model_retry_base_ms: 1,
      live_runs_per_user: 20,
      budget_run_usd: 100,
      budget_session_usd: 1_000,
      budget_user_day_usd: 10_000,
      requests_per_minute: 1_000_000
    }),
    ...overrides
  })
  for (let index = 0; index < 24; index++) await addProject(app, index)
  const scopes = ['agent:read', 'agent:write', 'account:read', 'account:write']
  const { headers } = await makeToken(app, asAdmin, scopes)
  const say = async (turns: Turn[], session?: string) => {
    const message = scripted(anthropic, turns)
    const reply = await chat(app, { message, ...(session && { session_id: session }) }, headers)
    return { ...reply, message, requests: requestsWith(anthropic, message), done: doneOf(reply.frames) }
  }
  const sayWords = (message: string, session?: string) =>
    chat(app, { message, ...(session && { session_id: session }) }, headers)
  return { app, anthropic, headers, say, sayWords }
}

const addProject = async (app: App, index: number): Promise<void> => {
  const payload = { name: `project ${index}`, description: `${index} words `.repeat(110) }
  await app.inject({ method: 'POST', url: '/account/projects', headers: asAdmin, payload })
}

type Anthropic = Awaited<ReturnType<typeof startChatApp>>['anthropic']

/** Requests for an answer, without those for notes. */
const requestsWith = (anthropic: Anthropic, message: string) => anthropic.control.requests(message)
  .map(({ body }) => body as MessageCreateParamsBase).filter(({ tools }) => (tools?.length ?? 0) > 0)

const doneOf = (frames: Frame[]) => framesOf(frames, 'done').at(-1)?.data

/** Reads some 24 KB. */
export const readTurn: Turn = { content: [{ type: 'tool_use', name: 'listProjects', input: { limit: 100 } }] }
export const speech: Turn = { content: [{ type: 'text', text: 'Read.' }] }
