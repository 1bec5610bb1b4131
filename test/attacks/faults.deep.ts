import { execFileSync, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import t from '../tap.js'
import { asAdmin, buildApp, makeEnvironment } from '../app.js'
import { until } from '../chat.js'
import { Steward } from '../flows/crash-steward.js'
import { makePerson, makeToken } from '../routes/account/actors.js'

const hour = 3_600_000

/** Lets this process believe that it is earlier or later; the database's clock is its own. */
const shiftClock = (ms: number): () => void => {
  const RealDate = globalThis.Date
  globalThis.Date = class extends RealDate {
    constructor (...args: [] | [number | string]) {
      super(...(args.length === 0 ? [RealDate.now() + ms] : args) as [number])
    }

    static override now (): number {
      return RealDate.now() + ms
    }
  } as DateConstructor
  return () => { globalThis.Date = RealDate }
}

// The embedded database lives in this process and has its clock: the two cannot disagree.
if (process.env.TEST_DATABASE_URL) {
  t.test('I67: a process whose clock is an hour off takes no credential early or late', async (t) => {
    const app = await buildApp(t, { SANDBOX: 'off', WORKER: 'false' })
    const me = async (headers: Record<string, string>) =>
      (await app.inject({ url: '/account/me', headers })).json().code ?? 200
    const person = await makePerson(app, 'Claude', 'member')
    const mint = () => makeToken(app, asAdmin, ['account:read'])
    const [soon, over] = [await mint(), await mint()]
    const end = (id: string, minutes: number) => app.db.updateTable('account_token')
      .set({ expires_at: sql`now() + ${minutes} * interval '1 minute'` }).where('id', '=', id).execute()
    await end(soon.id, 2)
    await end(over.id, -2)
    for (const ms of [hour, -hour]) {
      const back = shiftClock(ms)
      try {
        t.same([await me(soon.headers), await me(over.headers), await me(person.headers)], [200, 'token_expired', 200],
          `${ms / hour} h`)
        t.equal(await me((await mint()).headers), 200, 'what is made now holds now')
      } finally {
        back()
      }
    }
  })
}

t.test('I67: a database whose disk is full is a 503, and what can be read is read', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off', WORKER: 'false' })
  await sql`create function fill_disk () returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(app.db)
  for (const table of ['account_project', 'idempotency_key', 'audit']) {
    await sql`create trigger full_disk before insert on ${sql.table(table)}
      for each row execute function fill_disk()`.execute(app.db)
  }
  const payload = { name: 'No room' }
  for (const key of [{}, { 'idempotency-key': 'full' }]) {
    const answer =
      await app.inject({ method: 'POST', url: '/account/projects', headers: { ...asAdmin, ...key }, payload })
    t.same([answer.statusCode, answer.json().code, answer.headers['retry-after']], [503, 'database_unavailable', '2'])
  }
  t.equal((await app.inject({ url: '/account/projects', headers: asAdmin })).statusCode, 200)
})

/** Starts Steward by a shell that spoils its surroundings first. */
const startSpoiled = async (t: Parameters<typeof makeEnvironment>[0], script: string, more = {}) => {
  const env = await makeEnvironment(t, { SANDBOX: 'off', WORKER: 'false', LOG_LEVEL: 'info', ...more })
  const args = ['-c', script, 'sh', process.execPath, join(process.cwd(), 'dist', 'server.js')]
  const child = spawn('sh', args, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const steward = new Steward(child)
  t.teardown(() => steward.kill())
  return steward
}

t.test('I67: a process without file descriptors left refuses, and goes on when there are some again', async (t) => {
  const steward = await startSpoiled(t, 'exec "$@"')
  const url = await steward.listening()
  const { pid } = steward.child
  // The embedded database and the code that is read late have some 80 files yet to open, and keep what they have.
  const few = readdirSync(`/proc/${pid}/fd`).length + 256
  execFileSync('prlimit', [`--pid=${pid}`, `--nofile=${few}:${few}`])
  const sockets: Socket[] = Array.from({ length: 600 }, () =>
    connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined))
  t.teardown(() => { for (const socket of sockets) socket.destroy() })
  const stuck = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) }).catch((error: Error) => error)
  t.ok(stuck instanceof Error || stuck.status === 503, 'the request fails, or its answer is a 503')
  for (const socket of sockets) socket.destroy()
  // Connections that were waiting are still let in and cut for a moment, until the process has seen the others end.
  const ask = () => fetch(`${url}/account/projects`, { headers: asAdmin, signal: AbortSignal.timeout(5_000) })
    .then(async (answer) => { await answer.text(); return answer.status }).catch(() => undefined)
  await until(async () => steward.child.exitCode !== null || await ask() === 200)
  t.same([await ask(), steward.child.exitCode], [200, null])
})

const freePort = async (): Promise<string> => {
  const server = createServer()
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  // A listening TCP server has such an address.
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

t.test('I67: a process whose log goes to a full disk loses its log, and nothing else', async (t) => {
  const PORT = await freePort()
  const steward = await startSpoiled(t, 'exec "$@" > /dev/full', { PORT })
  const url = `http://127.0.0.1:${PORT}/account/projects`
  const ask = () => fetch(url, { headers: asAdmin }).then(({ status }) => status, () => undefined)
  await until(async () => steward.child.exitCode !== null || await ask())
  t.same([steward.child.exitCode, steward.errors, await ask(), await ask()], [null, '', 200, 200])
})
