import type { Test } from '../../../test/tap.js'
import Anthropic from '@anthropic-ai/sdk'
import { startAnthropicSandbox } from '../src/anthropic/index.js'

export type Params = Anthropic.Messages.MessageCreateParamsNonStreaming
export type History = Anthropic.Messages.MessageParam[]
export type Input = Record<string, unknown>
export type Answer = { items: Input[], turns: number, faults: number, error: Input }
export type Control = (method: string, path: string, body?: object) => Promise<Answer>

export const object = (properties: object, required: string[] = []) =>
  ({ type: 'object' as const, properties, required, additionalProperties: false })
export const text = { type: 'string' }

export const tool = (name: string, description: string, properties: object, required: string[] = []) =>
  ({ name, description, input_schema: object(properties, required) })
export const count = { type: 'integer', minimum: 0, description: 'How many copies' }

export const tools = [
  tool('createCloudAccount', 'Connect a cloud account',
    { name: { ...text, description: 'What to call it' }, provider: { enum: ['aws', 'gcp'] } }, ['name', 'provider']),
  tool('deployService', 'Start a new deployment of a container service', { service: text, image: text }, ['service']),
  tool('getService', 'Read a container service', { service: text }, ['service']),
  tool('getServiceLogs', 'Read the logs of a container service',
    { service: text, limit: { type: 'integer' } }, ['service']),
  tool('invokeFunction', 'Run a serverless function', { name: text, payload: { type: 'object' } }, ['name']),
  tool('listChatSessions', 'List the chat sessions of the user', {}),
  tool('listCloudAccounts', 'List the connected cloud accounts', { limit: { type: 'integer' }, cursor: text }),
  tool('createSpecSession', 'Create a spec session', { title: text, inputs: { type: 'array', items: object({}) } },
    ['title']),
  tool('getCosts', 'Read costs', { start_date: text, end_date: text, granularity: text, group_by: text }),
  tool('listApps', 'List the apps', {}),
  tool('listPulls', 'List pull requests', { repo_id: text, state: text }),
  tool('listRepositories', 'List the repositories', {}),
  tool('listClusterServices', 'List the services of a container cluster',
    { cluster: text, account_id: text }, ['cluster']),
  tool('listClusters', 'List the container clusters', { account_id: text, cursor: text }),
  tool('listFunctions', 'List the serverless functions', { account_id: text }),
  tool('scaleService', 'Change the number of running copies of a container service',
    { service: text, desired_count: count }, ['service', 'desired_count']),
  tool('testCloudAccount', 'Check the credentials of a cloud account', { account_id: text }, ['account_id'])
]

export const service = (cluster: string, name: string, count = 2) =>
  ({
    id: `acc~eu-west-1~${cluster}~${name}`,
    name,
    cluster,
    status: 'ACTIVE',
    scheduling: 'REPLICA',
    health: 'healthy',
    desired_count: count,
    running_count: count
  })
export const list = (...items: object[]) => ({ items, next_cursor: null })
export const lastOf = (id: unknown) => String(id).split('~').at(-1) ?? ''
export const accountId = '0190a0a0-0000-7000-8000-000000000001'
export const world: Record<string, (input: Input) => unknown> = {
  listClusters: () => list(...['prod', 'stage'].map((name) =>
    ({ id: `acc~eu-west-1~${name}`, name, status: 'ACTIVE', service_count: 2 }))),
  listClusterServices: ({ cluster }) => lastOf(cluster) === 'prod'
    ? list(service('prod', 'web'), service('prod', 'api'))
    : list(service('stage', 'worker')),
  listCloudAccounts: () => list({ id: accountId, name: 'main', provider: 'aws' }),
  listFunctions: () => list({ id: 'acc~eu-west-1~resize', name: 'resize', runtime: 'nodejs20.x' }),
  getService: ({ service: id }) => service('prod', lastOf(id)),
  getServiceLogs: () => list({ timestamp: '2026-01-01T00:00:00Z', message: 'started' }),
  scaleService: ({ service: id, desired_count: count }) =>
    ({ service_id: id, previous_count: 2, desired_count: count, running_count: 2 }),
  getCosts: () => ({ periods: [] }),
  listApps: () => list(),
  listPulls: () => list(),
  listRepositories: () => list({ id: 'r', name: 'web' }),
  deployService: ({ service }) => ({ service, status: 'IN_PROGRESS' }),
  invokeFunction: () => ({ status_code: 200, payload: { ok: true } }),
  testCloudAccount: () => ({ status: 'ok', latency_ms: 12 })
}
export const enveloped = (name: string, result: unknown) =>
  JSON.stringify({ source: name, untrusted: true, content: result })

export async function start (t: Test) {
  const sandbox = await startAnthropicSandbox({ delayMs: 0 })
  t.teardown(() => sandbox.close())
  const client = new Anthropic({ baseURL: sandbox.url, apiKey: 'sandbox', maxRetries: 0 })
  const control: Control = async (method, path, body) => {
    const response = await fetch(`${sandbox.controlUrl}/${path}`, {
      method, ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
    })
    return await response.json() as Answer // Each path answers with a part of it.
  }
  return { client, url: sandbox.url, control }
}

export const ask = (content: string, more: Partial<Params> = {}): Params =>
  ({ model: 'claude-opus-5-5', max_tokens: 4000, messages: [{ role: 'user', content }], ...more })

/** Runs a conversation to its end, as an agent would: every call is answered, several in one message. */
export async function converse (client: Anthropic, input: string | History, answers = world) {
  const messages: History = typeof input === 'string' ? [{ role: 'user', content: input }] : [...input]
  const turns: { name: string, input: Input }[][] = []
  for (let step = 0; step < 12; step++) {
    const message = await client.messages.stream({ ...ask(''), messages, tools }).finalMessage()
    messages.push({ role: 'assistant', content: message.content })
    const calls = message.content.flatMap((block) => block.type === 'tool_use' ? [block] : [])
    if (calls.length === 0) return { turns, messages, text: textOf(message) }
    turns.push(calls.map(({ name, input }) => ({ name, input: input as Input })))
    messages.push({
      role: 'user',
      content: calls.map(({ id, name, input }) => {
        const result = answers[name]?.(input as Input)
        return result instanceof Error
          ? { type: 'tool_result', tool_use_id: id, is_error: true, content: result.message }
          : { type: 'tool_result', tool_use_id: id, content: enveloped(name, result) }
      })
    })
  }
  throw new Error('the conversation does not end')
}

export const textOf = ({ content }: Anthropic.Messages.Message) =>
  content.map((block) => block.type === 'text' ? block.text : '').join('')

export const json = { 'content-type': 'application/json' }

export async function rawJson (stream: ReturnType<Anthropic['messages']['stream']>) {
  let json = ''
  stream.on('streamEvent', (event: Anthropic.Messages.RawMessageStreamEvent) => {
    if (event.type !== 'content_block_delta' || event.delta.type !== 'input_json_delta') return
    json += event.delta.partial_json
  })
  await stream.finalMessage().catch(() => {})
  return json
}
