import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { sql } from 'kysely'
import t from '../tap.js'
import { build } from '../../app.js'
import { sweep } from '../../db/workers.js'
import { readConfig } from '../../plugins/config.js'
import { makeEnvironment, type App } from '../app.js'
import { divide, hangWorkerOf, killWorkerOf, silenceWorkerOf } from '../db/divided.js'
import { makeWorkspace } from '../routes/account/actors.js'

/** Workers may be silent for so long before they are named; the rest is for a busy machine. */
const withinMs = 2_000 + 3_000

const divided = async (): Promise<{ app: App, url: string | undefined }> => {
  const environment = await makeEnvironment(t)
  const plain = await build(readConfig(environment), { level: 'silent' })
  await plain.ready()
  await divide(plain.db)
  await plain.close()
  const app = await build(readConfig(environment), { level: 'silent' })
  t.teardown(() => app.close())
  await app.ready()
  return { app, url: environment.DATABASE_URL }
}

/** @returns a server that accepts connections, and answers nothing */
const listenSilently = async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => { sockets.add(socket.on('error', () => undefined)) })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port: (server.address() as AddressInfo).port, accepted: () => sockets.size, close }
}

/** The nodes are servers, which are asked as the coordinator does: by libpq, and without an end of its own. */
const nameNodes = async (app: App, nodes: { host: string, port: number }[]): Promise<void> => {
  await sql`create extension dblink`.execute(app.db)
  await sql`create or replace function citus_check_connection_to_node (nodename text, nodeport integer)
    returns boolean language plpgsql as $$ begin
      perform dblink_connect('asked', format(
        'host=%s port=%s user=%s dbname=%s', nodename, nodeport, current_user, current_database()));
      perform dblink_disconnect('asked');
      return true;
    end $$`.execute(app.db)
  await sql`delete from pg_dist_node`.execute(app.db)
  for (const { host, port } of nodes) {
    await sql`insert into pg_dist_node values (${host}, ${port}, 1, 'primary', true, true)`.execute(app.db)
  }
}

t.test('a worker that accepts connections and answers nothing is named in time, also where all wait for it', {
  skip: process.env.TEST_DATABASE_URL === undefined && 'the embedded database asks no other server'
}, async (t) => {
  const { app, url } = await divided()
  const { hostname: host, port } = new URL(String(url))
  const { port: silent, accepted, close } = await listenSilently()
  await nameNodes(app, [{ host, port: Number(port || 5432) }, { host: '127.0.0.1', port: silent }])
  // As many as the pool has.
  const held = Array.from({ length: 5 }, () => sql`select pg_sleep(5)`.execute(app.db))

  const since = performance.now()
  const answer = await app.inject('/ready')
  const ms = performance.now() - since
  const { status, database } = answer.json()
  t.same([answer.statusCode, status, database?.unreachable_workers], [200, 'degraded', [`127.0.0.1:${silent}`]])
  t.ok(ms < withinMs, `${ms} ms`)
  t.equal(accepted(), 1, 'it was asked')
  close()
  await Promise.all(held)
})

t.test('background work leaves out the workspaces of a worker that is silent, and of no other', async (t) => {
  const { app } = await divided()
  const silent = await makeWorkspace(app, 'Silent', ['silent.example'])
  const list = () => sweep(app.db, async (reach) => (await sql<{ id: string }>`
    select id from workspace where ${reach(sql`true`, 'id')}`.execute(app.db)).rows.length)
  t.equal(await list(), 2)
  await silenceWorkerOf(app.db, silent.id)
  t.equal(await list(), 1, 'a statement that is late, and a worker that does not answer')
  await killWorkerOf(app.db)
  while (await list() < 2) await new Promise((resolve) => setTimeout(resolve, 100))
})

t.test('a worker that is silent holds its share of the connections, and others go on', {
  skip: process.env.TEST_DATABASE_URL === undefined && 'the embedded database has one session'
}, async (t) => {
  const { app } = await divided()
  const silent = await makeWorkspace(app, 'Silent', ['silent.example'])
  const living = await makeWorkspace(app, 'Living', ['living.example'])
  const list = ({ headers }: { headers: Record<string, string> }, host: string) =>
    app.inject({ url: '/account/projects', headers: { ...headers, host } })
  t.same([(await list(silent, 'silent.example')).statusCode, (await list(living, 'living.example')).statusCode], [200, 200])

  await hangWorkerOf(app.db, silent.id)
  let answered = 0
  // More than the pool has connections.
  const waiting = Array.from({ length: 12 }, () => list(silent, 'silent.example').finally(() => { answered++ }))
  for (let i = 0; i < 12; i++) t.equal((await list(living, 'living.example')).statusCode, 200)
  t.equal(answered, 0, 'the others did not wait for it')
  const made = await app.inject({
    method: 'POST',
    url: '/account/projects',
    payload: { name: 'Shop' },
    headers: { ...living.headers, host: 'living.example' }
  })
  t.equal(made.statusCode, 201, 'also a transaction')

  // Those that wait are refused when it is found to be silent, and whoever comes is refused at once.
  const codes = (await Promise.all(waiting)).map((answer) => [answer.statusCode, answer.json().code])
  t.same(codes, codes.map(() => [503, 'database_unavailable']))
  const { database } = (await app.inject('/ready')).json()
  t.same(database.unreachable_workers, ['worker-2:5432'])
  await hangWorkerOf(app.db)
  while ((await list(silent, 'silent.example')).statusCode !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
})
