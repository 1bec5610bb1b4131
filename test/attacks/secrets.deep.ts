import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import t from '../tap.js'
import { build } from '../../app.js'
import { readConfig } from '../../plugins/config.js'
import { startAnthropicSandbox } from 'steward-sandbox/anthropic'
import { adminToken, asAdmin, makeEnvironment, type App } from '../app.js'
import { chat, scripted } from '../chat.js'
import { makePerson, makeToken } from '../routes/account/actors.js'
import { renewToken, steer } from '../routes/codehost/actors.js'
import { makeProject } from '../routes/content/actors.js'
import { steer as steerAws } from '../routes/infrastructure/sandbox.js'
import { fill } from './belongings.js'
import { addressOf, walk } from './operations.js'
import { sampleOf } from './samples.js'

/** Planted where Steward takes secrets; each must be found nowhere afterwards. */
const planted = {
  secretKey: 'canary-secret-key-0123456789-abcdefghijklmnop',
  provider: 'sk-ant-api03-canary0123456789canary0123456789canary',
  webhook: 'canary-webhook-secret-0123456789',
  aws: 'canaryAwsSecretAccessKey0123456789abcdef',
  target: `whsec_${Buffer.from('canary-target-secret-0123456').toString('base64')}`
}

const lines: string[] = []
const answers: string[] = []
const anthropic = await startAnthropicSandbox({ delayMs: 0 })
t.teardown(() => anthropic.close())

/** The bodies of all exported traces. */
const traces: string[] = []
const collector = createServer((request, response) => {
  request.setEncoding('utf8').on('data', (piece: string) => traces.push(piece))
    .on('end', () => response.setHeader('content-type', 'application/json').end('{}'))
})
await new Promise<void>((resolve) => { collector.listen(0, '127.0.0.1', resolve) })
t.teardown(() => { collector.close() })
// A listening TCP server has such an address.
const { port } = collector.address() as AddressInfo

const environment = await makeEnvironment(t, {
  WORKER: 'false',
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  LIMITS: JSON.stringify({ requests_per_minute: 1_000_000, wait_s: 1 }),
  SECRET_KEY: planted.secretKey,
  ANTHROPIC_API_KEY: planted.provider,
  ANTHROPIC_BASE_URL: anthropic.url,
  CODEHOST_WEBHOOK_SECRET: planted.webhook
})
const app: App = await build(readConfig(environment), { level: 'trace', stream: { write: (line) => lines.push(line) } })
t.teardown(() => app.close())
await app.ready()

const send = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
  const answer = await app.inject({ method, url, headers: asAdmin, ...(payload && { payload }) })
  answers.push(answer.payload, JSON.stringify(answer.headers))
  return answer
}

/** Uses every secret once, in success and in failure. @returns those that were made on the way */
const useAll = async () => {
  const person = await makePerson(app, 'Canary', 'member')
  const token = await makeToken(app, asAdmin, ['cloud:read'])
  const host = await renewToken(app, 'octavia')
  await app.inject({ url: '/cloud/accounts', headers: token.headers })
  await app.inject({ url: '/account/me', headers: person.headers })
  const role = { type: 'keys', access_key_id: 'AKIACANARYCANARY0001', secret_access_key: planted.aws }
  await send('POST', '/cloud/accounts', { name: 'Canary', provider: 'aws', regions: ['eu-west-1'], auth: role })
  const project = await makeProject(app, 'Canary')
  const config = { url: 'https://example.com/hook' }
  const target = { name: 'Site', kind: 'webhook', config, secret: planted.target }
  const brand = await send('PUT', `/content/brands/${project}`, { publish_targets: [target] })
  if (brand.statusCode > 201) throw new Error(brand.payload)
  const cookie = String(person.headers.cookie).split('=')[1] ?? ''
  return { token: token.secret, session: decodeURIComponent(cookie), host }
}

const breakAll = async () => {
  const leaky = { name: 'Leaky', description: `the key is ${planted.provider}` }
  const made = await app.inject({ method: 'POST', url: '/account/projects', headers: asAdmin, payload: leaky })
  const { id } = made.json()
  const params = { name: 'getProject', arguments: { project_id: id } }
  const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const accept = 'application/json, text/event-stream'
  const answer = await app.inject({ method: 'POST', url: '/mcp', headers: { ...asAdmin, accept }, payload: asked })
  if (!answer.payload.includes('Leaky')) throw new Error(answer.payload)
  mcp.push(answer.payload)
  const message = scripted(anthropic, [
    { content: [{ type: 'tool_use', name: 'getProject', input: { project_id: id } }] },
    { content: [{ type: 'text', text: 'Read.' }] }
  ])
  answers.push((await chat(app, { message })).answer.payload)
  for (const kind of ['unauthorized', 'error_500', 'bad_json', 'drop']) {
    await steer(app).fault({ kind, times: 2 })
    await send('GET', '/codehost/repos')
    await steer(app).clear()
  }
  await steerAws(app).fault({ operation: 'ListClusters', kind: 'error_500', times: 5 })
  await send('GET', '/infrastructure/containers/clusters')
  await send('POST', '/webhooks/codehost', { zen: 'x' })
  await send('GET', `/account/me?token=${adminToken}x`)
}

const mcp: string[] = []

/** Reads all that can be read, including exports, as an admin. @returns the answers by operation */
const readAll = async (): Promise<Map<string, string>> => {
  const idOf = await fill(app)
  const { operations, resolve } = walk(app)
  const read = new Map<string, string>()
  for (const operation of operations.filter(({ method, streams }) => method === 'GET' && !streams)) {
    const url = addressOf(operation, ({ name, in: location, required, schema }) => location === 'path'
      ? idOf(operation, name)
      : required ? String(sampleOf(schema, resolve)) : undefined)
    const answer = await app.inject({ url, headers: asAdmin })
    read.set(operation.id, answer.payload + JSON.stringify(answer.headers))
  }
  return read
}

const rowsOf = async (): Promise<string> => {
  const { rows: tables } = await sql<{ name: string }>`select table_schema || '.' || table_name as name
    from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`.execute(app.db)
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select row_to_json(t)::text as row from ${sql.table(name)} t`.execute(app.db)
    texts.push(...rows.map(({ row }) => row))
  }
  return texts.join('\n')
}

const filesIn = (folder: string): string[] => readdirSync(folder).map((name) => join(folder, name))
  .flatMap((path) => statSync(path).isDirectory() ? filesIn(path) : [path])

/** A secret as it is, in hexadecimal and in base64, as rows and dumps show bytes. */
const shapesOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  return [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '').slice(0, -1)]
}

const found = (secrets: Record<string, string>, text: string): string[] =>
  Object.entries(secrets).filter(([, secret]) => shapesOf(secret).some((shape) => text.includes(shape)))
    .map(([name]) => name)

t.test('F45, F46, F47, F49: no secret is in a row, a file, a log line, an answer, a metric or a trace', async (t) => {
  const made = await useAll()
  await breakAll()
  const read = await readAll()
  const secrets = { ...planted, ...made, admin: adminToken }
  const rows = await rowsOf()
  const control = { control: 'Canary' }
  t.same([found(control, rows), found({ control: 'listClusters' }, lines.join(''))], [['control'], ['control']],
    'what is there is found')
  // A person typed the provider's key into a description: only they can read that row.
  const { provider, ...rest } = secrets
  t.same(found(rest, rows), [], 'rows')
  t.same(found(secrets, lines.join('')), [], 'log lines')
  t.same(found(rest, answers.join('\n')), [], 'answers')
  t.same(found(secrets, mcp.join('\n')), [], 'answers to MCP')
  t.ok(read.size > 60, `${read.size} reads`)
  t.same([...read].filter(([, text]) => found(rest, text).length > 0).map(([id]) => id), [], 'reads and exports')
  t.match(read.get('exportSpec'), /locker/, 'an export that has something in it')
  t.match(read.get('getMetrics'), /steward_/)
  t.same(found(secrets, read.get('getMetrics') ?? ''), [], 'metrics')
  t.notMatch(answers.join('\n'), /select .+ from |insert into |\/node_modules\/|\.js:\d+/i, 'nor SQL, nor a stack')
  const heard = anthropic.control.requests().map(({ body }) => JSON.stringify(body))
  t.ok(heard.length > 1)
  t.same(heard.filter((body) => body.includes(provider)), [], 'nor does the model receive it')
  await app.close()
  t.match(traces.join(''), /getProject/, 'the last of them were exported')
  t.same(found(secrets, traces.join('')), [], 'traces')
  const files = environment.DATABASE_URL === undefined ? filesIn(environment.DATA_DIR) : []
  const holding = files.filter((path) => found(rest, readFileSync(path, 'latin1')).length > 0)
  t.same(holding, [], 'files of the embedded database, its log of writes among them')
})
