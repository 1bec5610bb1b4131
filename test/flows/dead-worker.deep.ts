import { sql } from 'kysely'
import t from '../tap.js'
import { build } from '../../app.js'
import { deleteOldKeys } from '../../db/idempotency.js'
import { readConfig } from '../../plugins/config.js'
import { startAnthropicSandbox } from 'steward-sandbox/anthropic'
import { asAdmin, makeEnvironment } from '../app.js'
import { chat, confirm, framesOf, scripted, type Turn } from '../chat.js'
import { divide, killWorkerOf } from '../db/divided.js'
import { makeWorkspace } from '../routes/account/actors.js'

const anthropic = await startAnthropicSandbox({ delayMs: 0 })
t.teardown(() => anthropic.close())
const environment = await makeEnvironment(t, {
  ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: anthropic.url
})
const lines: { level: number, msg: string }[] = []
const stream = { write: (line: string) => { lines.push(JSON.parse(line)) } }

const plain = await build(readConfig(environment), { level: 'silent', stream })
await plain.ready()
const before = (await plain.inject('/ready')).json()
await divide(plain.db)
await plain.close()

const app = await build(readConfig(environment), { level: 'info', stream })
t.teardown(() => app.close())
await app.ready()

const living = await makeWorkspace(app, 'Living', ['living.example'])
const dead = await makeWorkspace(app, 'Dead', ['dead.example'])

const create: Turn = { content: [{ type: 'tool_use', name: 'createProject', input: { name: 'Shop' } }] }
const end: Turn = { content: [{ type: 'text', text: 'Made.' }] }

/** Asks for a project, and leaves the question. */
const ask = (headers: Record<string, string>) => chat(app, { message: scripted(anthropic, [create, end]) }, headers)

type Headers = Record<string, string>

/** Makes a project under a key, which is kept for a day. */
const makeOnce = (headers: Headers, name: string) => app.inject({
  method: 'POST', url: '/account/projects', headers: { ...headers, 'idempotency-key': name }, payload: { name }
})

const list = async ({ headers }: { headers: Headers }, host: string) => {
  const answer = await app.inject({ url: '/account/projects', headers: { ...headers, host } })
  return answer.statusCode === 200 ? 200 : [answer.statusCode, answer.json().code]
}

/** @returns the names of those workspaces whose rows these are */
const namesOf = (rows: readonly { workspace_id: string }[]): string[] =>
  rows.map(({ workspace_id: id }) => id === living.id ? 'living' : id === dead.id ? 'dead' : 'first').toSorted()

const table = async (name: string) => (await sql<{ workspace_id: string, status: string, key: string }>`
  select * from ${sql.table(`${name}_all`)}`.execute(app.db)).rows

const early = async () => (await table('idempotency_key')).filter(({ key }) => key === 'Early')

const ready = async () => {
  const answer = await app.inject('/ready')
  return [answer.statusCode, answer.json()]
}

const readiness = (status: string, ...unreachable: string[]) =>
  [200, { ...before, status, database: { ...before.database, unreachable_workers: unreachable } }]

/** What is found out about workers holds for some seconds. */
const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!await isSo()) await new Promise((resolve) => setTimeout(resolve, 100))
}

t.test('a plain database names no workers', async (t) => {
  t.same([before.status, before.database], ['ready', { embedded: environment.DATABASE_URL === undefined }])
})

t.test('a dead worker harms its workspaces alone', async (t) => {
  for (const { headers } of [living, dead]) t.equal((await makeOnce(headers, 'Early')).statusCode, 201)
  const asked = await ask(living.headers)
  const question = framesOf(asked.frames, 'confirmation_required')[0]?.data ?? {}
  t.equal(framesOf((await ask(dead.headers)).frames, 'confirmation_required').length, 1)
  await sql`update idempotency_key set created_at = now() - interval '2 days'`.execute(app.db)
  await killWorkerOf(app.db, dead.id)

  t.same([await list(living, 'living.example'), await list(dead, 'dead.example')], [200, [503, 'database_unavailable']])
  await until(async () => (await ready())[1].status === 'degraded')
  t.same(await ready(), readiness('degraded', 'worker-2:5432'))
  const { session_id, confirmation_id, input_digest } = question
  const decided = await confirm(app, { session_id, confirmation_id, input_digest, approved: true }, living.headers)
  t.equal(decided.statusCode, 200)
  await until(async () => (await table('agent_run')).some((run) =>
    run.workspace_id === living.id && run.status === 'completed'))
  t.equal((await app.inject({ url: '/account/projects', headers: living.headers })).json().items.length, 2)

  t.equal(await deleteOldKeys(app.db), 1)
  t.same(namesOf(await early()), ['dead'], 'what is on the dead worker stays until it lives')
})

t.test('a change of workspaces is seen meanwhile, and what was known of the others holds', async (t) => {
  await app.workspaces.read()
  const url = `/account/workspaces/${living.id}`
  const { headers } = await app.inject({ url, headers: asAdmin })
  const changed = await app.inject({
    method: 'PATCH',
    url,
    headers: { ...asAdmin, 'if-match': String(headers.etag) },
    payload: { settings: { limits: { requests_per_minute: 77 } } }
  })
  t.equal(changed.statusCode, 200)
  const answer = await app.inject({ url: '/account/projects', headers: { ...living.headers, host: 'living.example' } })
  t.same([answer.statusCode, answer.headers['ratelimit-limit']], [200, '77'])
  t.same(await list(living, 'dead.example'), [401, 'unauthenticated'], 'the host name is still that workspace\'s')
  t.same(await list(dead, 'dead.example'), [503, 'database_unavailable'])
  t.same(lines.filter(({ msg }) => msg.includes('of the database')).map(({ level, msg }) => [level, msg]),
    [[40, 'a worker of the database does not answer: background work leaves out its workspaces']])
})

t.test('when it lives again, everything goes on', async (t) => {
  await killWorkerOf(app.db)
  await until(async () => (await deleteOldKeys(app.db)) === 1)
  t.same(await early(), [])
  await until(async () => (await ready())[1].status === 'ready')
  t.same(await ready(), readiness('ready'))
  t.same([await list(living, 'living.example'), await list(dead, 'dead.example')], [200, 200])
  t.same(lines.filter(({ msg }) => msg.includes('of the database')).map(({ level, msg }) => [level, msg]), [
    [40, 'a worker of the database does not answer: background work leaves out its workspaces'],
    [30, 'all workers of the database answer again']
  ])
})

t.test('Steward does not start while a worker is dead: whose host names there are it would not know', async (t) => {
  await killWorkerOf(app.db, dead.id)
  await app.close()
  const start = async () => {
    const other = await build(readConfig(environment), { level: 'silent' })
    t.teardown(() => other.close())
    await other.ready()
  }
  await t.rejects(start(), { message: 'A worker of the database does not answer: start when it does' })
})
