import type { Test } from '../../tap.js'
import { startToolServer, type SandboxTool, type ToolServerSandbox } from 'steward-sandbox/toolserver'
import { asAdmin, type App, type AppTest } from '../../app.js'
import { chat, confirm, follow, framesOf, scripted, startChatApp, type Frame } from '../../chat.js'

export const sendTool: SandboxTool = {
  name: 'send_letter',
  description: 'Sends a letter.',
  inputSchema: {
    type: 'object',
    properties: { to: { type: 'string', description: 'Who gets it' }, copies: { type: 'integer', minimum: 1 } },
    required: ['to']
  }
}

export const readTool: SandboxTool = {
  name: 'read_letters', description: 'Reads letters.', inputSchema: { type: 'object', properties: {} }
}

export const request = async (app: App, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object,
  headers: Record<string, string> = asAdmin) =>
  app.inject({ method, url: `/tool-servers${url}`, headers, ...(payload && { payload }) })

/** A server of the sandbox with these tools. */
export const startServer = async (t: Pick<Test, 'teardown'>, tools: SandboxTool[] = [sendTool, readTool]) => {
  const server = await startToolServer(tools)
  t.teardown(() => server.close())
  return server
}

/** Steward with a model of the sandbox, which may ask servers on this machine. */
export const startApp = (t: AppTest, overrides: Record<string, string> = {}) =>
  startChatApp(t, { OUTBOUND_ALLOW: '127.0.0.1', ...overrides })

/** @returns the id of the server, which is added */
export const addServer = async (app: App, name: string, { url }: Pick<ToolServerSandbox, 'url'>): Promise<string> => {
  const answer = await request(app, 'POST', '', { name, url })
  if (answer.statusCode !== 201) throw new Error(answer.payload)
  return answer.json().id
}

export const toolOf = async (app: App, id: string, name: string) =>
  (await request(app, 'GET', `/${id}/tools`)).json().items
    .find((tool: { name: string }) => tool.name === name)

export const setMode = async (app: App, id: string, name: string, mode: string) =>
  request(app, 'PATCH', `/${id}/tools/${name}`, { mode })

/** Lets the model call a tool. @returns what became of it up to the question or the end */
export const letCall = async ({ app, anthropic }: Awaited<ReturnType<typeof startChatApp>>, name: string,
  input: object) => {
  const message = scripted(anthropic, [
    { content: [{ type: 'tool_use', name, input }] }, { content: [{ type: 'text', text: 'Done.' }] }
  ])
  const { frames, session } = await chat(app, { message })
  const [question] = framesOf(frames, 'confirmation_required')
  return { frames, session, question: question?.data, result: resultIn(frames) }
}

/** @returns the end of the one call */
export const resultIn = (frames: Frame[]) => framesOf(frames, 'tool_result')[0]?.data

/** Approves the question. @returns the answer, and the end of the call once the run has gone on */
export const approve = async (app: App, session: string, question: Record<string, unknown> | undefined) => {
  const answer = await confirm(app, {
    session_id: session, confirmation_id: question?.confirmation_id, approved: true
  })
  const { frames } = await follow(app, session)
  return { answer, result: resultIn(frames) }
}
