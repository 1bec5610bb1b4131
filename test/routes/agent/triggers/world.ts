import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { asAdmin, type App, type AppTest } from '../../../app.js'
import { startChatApp, until, type Turn } from '../../../chat.js'

export type World = Awaited<ReturnType<typeof startChatApp>>

export const startWorld = (t: AppTest, overrides: Record<string, string> = {}) =>
  startChatApp(t, { ...overrides })

export const send = (app: App, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object,
  headers: Record<string, string> = asAdmin) =>
  app.inject({ method, url: `/api/v1/agent${path}`, headers, ...(payload && { payload }) })

/** @returns a question that no other run asks, which the model answers with these turns */
export const scriptedQuestion = ({ anthropic }: Pick<World, 'anthropic'>, turns: Turn[]): string => {
  const question = `look into it ${randomUUID()}`
  anthropic.control.script({ turns, match: { text: question, scope: 'conversation' } })
  return question
}

/** A turn of the model that calls tools. */
export const call = (...calls: [name: string, input: object][]): Turn => ({
  content: calls.map(([name, input]) => ({ type: 'tool_use', name, input })), stop_reason: 'tool_use'
})

/** A turn of the model that ends its run. */
export const say = (text: string): Turn => ({ content: [{ type: 'text', text }] })

export interface Made { id: string, secret: string | null, next_at: string | null, revision: number }

export const makeTrigger = async (app: App, body: object, headers?: Record<string, string>): Promise<Made> => {
  const answer = await send(app, 'POST', '/triggers', { name: 'Night watch', question: 'What is wrong?', ...body },
    headers)
  if (answer.statusCode !== 201) throw new Error(answer.payload)
  return answer.json()
}

export interface Fired {
  id: string,
  status: string,
  reason: string | null,
  run_id: string,
  run_status: string,
  session_id: string,
  report_id: string,
  title: string,
  resolved_at: string | null
}

export const firingsOf = async (app: App, trigger: string, headers?: Record<string, string>): Promise<Fired[]> =>
  (await send(app, 'GET', `/triggers/${trigger}/firings`, undefined, headers)).json().items

/** Works the jobs and waits until the runs of all firings have ended. */
export const settled = async (app: App, trigger: string, headers?: Record<string, string>): Promise<Fired[]> => {
  await app.jobs.drain()
  return until(async () => {
    const firings = await firingsOf(app, trigger, headers)
    const isLive = ({ status, run_status: run }: Fired) =>
      status === 'queued' || ['ready', 'running'].includes(run)
    return !firings.some(isLive) && firings
  })
}

/** Makes a trigger due, as if its time had come this long ago. */
export const makeDue = async (app: App, trigger: string, ago = '1 second'): Promise<void> => {
  await sql`update agent_trigger set next_at = date_trunc('second', now() - ${ago}::interval)
    where workspace_id = ${app.home.workspace_id} and id = ${trigger}`.execute(app.db)
}

export interface Service { id: string, name: string, desired_count: number }

/** @returns a service of the sandbox */
export const firstService = async (app: App): Promise<Service> => {
  const clusters = await app.inject({ url: '/infrastructure/containers/clusters', headers: asAdmin })
  const [cluster] = clusters.json().items
  const path = `/infrastructure/containers/clusters/${encodeURIComponent(cluster.id)}/services`
  return (await app.inject({ url: path, headers: asAdmin })).json().items[0]
}
