import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createParser } from 'eventsource-parser'
import { type ScriptBody, startAnthropicSandbox } from 'steward-sandbox/anthropic'
import { asAdmin, buildApp, resetSandboxes, start, workspaceIn, type App, type AppTest } from './app.js'
import { share } from './left-behind.js'
import { root } from './tap.js'

export interface Frame { id: string | undefined, event: string, data: Record<string, unknown> }

/** @returns the frames of a whole stream */
export const parseFrames = (text: string): Frame[] => {
  const frames: Frame[] = []
  const parser = createParser({
    onEvent: ({ id, event = '', data }) => {
      frames.push({ id, event, data: JSON.parse(data) as Record<string, unknown> })
    }
  })
  parser.feed(text)
  return frames
}

export const framesOf = (frames: Frame[], event: string) => frames.filter((frame) => frame.event === event)

/** @returns the text a client holds at the end: what was sent after the last reset of each message */
export const textOf = (frames: Frame[]): string => {
  const texts = new Map<unknown, string>()
  for (const { data } of framesOf(frames, 'content')) {
    texts.set(data.message_id, data.reset ? '' : (texts.get(data.message_id) ?? '') + String(data.text))
  }
  return [...texts.values()].join('\n')
}

/** Steward, listening, with an Anthropic sandbox in reach of the test; `aws` is the URL of its AWS sandbox. */
export const startChatApp = async (t: AppTest, overrides: Record<string, string> = {}) => {
  const anthropic = await startAnthropicSandbox({ delayMs: 0 })
  t.teardown(() => anthropic.close())
  const app = await buildApp(t, {
    ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: anthropic.url, ...overrides
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return { app, anthropic, aws: app.sandbox.aws ?? '', url: `http://127.0.0.1:${port}` }
}

const startShared = () => share(async () => {
  const anthropic = await startAnthropicSandbox({ delayMs: 0 })
  root.teardown(() => anthropic.close())
  const shared = await start(root, { ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: anthropic.url })
  await shared.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = shared.app.server.address() as AddressInfo
  return { ...shared, anthropic, aws: shared.app.sandbox.aws ?? '', url: `http://127.0.0.1:${port}` }
})
let shared: ReturnType<typeof startShared> | undefined

/** A workspace of its own in a chat application that the files of this process share. */
export const openChat = async (t: AppTest) => {
  const isFirst = shared === undefined
  shared ??= startShared()
  const { app, check, ...rest } = await shared
  rest.anthropic.control.reset()
  if (!isFirst) await resetSandboxes(app)
  return { ...rest, app: await workspaceIn(t, { app, check }) }
}

export type Turn = ScriptBody['turns'][number]

/** @returns a unique message, which the model answers with these turns */
export const scripted = (anthropic: Awaited<ReturnType<typeof startAnthropicSandbox>>, turns: Turn[]): string => {
  const message = `please do ${randomUUID()}`
  anthropic.control.script({ turns, match: { text: message } })
  return message
}

/** Says something over inject. @returns the whole stream, up to its end */
export const chat = async (app: App, body: Record<string, unknown>, headers: Record<string, string> = asAdmin) => {
  const payload = { wait_s: 0, ...body }
  const answer = await app.inject({ method: 'POST', url: '/api/v1/agent/chat', payload, headers })
  const frames = answer.statusCode === 200 ? parseFrames(answer.payload) : []
  const session = String(answer.headers['steward-session-id'])
  return { answer, frames, session, run: String(answer.headers['steward-run-id']) }
}

export const confirm = (app: App, body: Record<string, unknown>, headers: Record<string, string> = asAdmin) =>
  app.inject({ method: 'POST', url: '/api/v1/agent/confirm', payload: body, headers })

/** @returns the answer of planning a question with other arguments */
export const planEdit = (app: App, confirmationId: string, edited: object, headers: Record<string, string> = asAdmin) =>
  app.inject({
    method: 'POST', url: `/api/v1/agent/confirmations/${confirmationId}/plan`, headers, payload: { arguments: edited }
  })

/** Approves other arguments than those that were asked about, after their plan was shown. */
export const approveEdited = async (app: App, decision: { session_id: string, confirmation_id: string },
  edited: object, headers: Record<string, string> = asAdmin) => {
  const { input_digest } = (await planEdit(app, decision.confirmation_id, edited, headers)).json()
  return confirm(app, { ...decision, approved: true, arguments: edited, input_digest }, headers)
}

/** Follows a session's run to its end. */
export const follow = async (app: App, session: string, lastId?: string, headers: Record<string, string> = asAdmin) => {
  const answer = await app.inject({
    url: `/api/v1/agent/sessions/${session}/stream`,
    headers: { ...headers, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) }
  })
  return { answer, frames: answer.statusCode === 200 ? parseFrames(answer.payload) : [] }
}

/**
 * Waits until the condition holds, or for two minutes: what has not come then will not come.
 * @param seen returns what there is instead
 */
export const until = async <T>(
  look: () => Promise<T | undefined | false> | T | undefined | false, seen: () => unknown = () => look.toString()
): Promise<T> => {
  const end = Date.now() + 120_000
  // Ever less often: who looks through the API has a limit of requests a minute.
  for (let ms = 20; Date.now() < end; ms = Math.min(ms * 1.2, 300)) {
    const found = await look()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, ms))
  }
  throw new Error(`Waited in vain: ${JSON.stringify(seen())}`)
}
