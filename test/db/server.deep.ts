import { sql } from 'kysely'
import t from '../tap.js'
import { openServer } from '../../db/index.js'
import { Listener } from '../../db/listener.js'
import { Primary } from '../../db/primary.js'
import { isConnectionError } from '../../db/connection-errors.js'
import { startPostgresStub } from './postgres-stub.js'

const quiet = () => undefined

t.test('I60: a connection that breaks under a query rejects the query, and does not end the process', async (t) => {
  const stub = await startPostgresStub(t, (socket, count) => {
    if (count === 1) socket.resetAndDestroy()
    return 'answer'
  })
  const database = openServer(stub.url, { max: 1, onError: quiet })
  t.teardown(() => database.close())
  const broken = await sql`select 1`.execute(database.db).catch((error: unknown) => error)
  t.ok(isConnectionError(broken), String(broken))
  t.same((await sql`select 1`.execute(database.db)).rows, [], 'the next one is answered, on a new connection')
  t.equal(stub.connections, 2)
})

t.test('I60: a connection that breaks between two statements of a transaction does not end the process', async (t) => {
  const stub = await startPostgresStub(t, (socket, count) => {
    // After `begin` has been answered, and before anything else is asked.
    if (count === 1) setImmediate(() => socket.destroy())
    return 'answer'
  })
  const database = openServer(stub.url, { max: 1, onError: quiet })
  t.teardown(() => database.close())
  const broken = await database.db.transaction().execute(async (trx) => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    await sql`select 1`.execute(trx)
  }).catch((error: unknown) => error)
  t.ok(isConnectionError(broken), String(broken))
  await sql`select 1`.execute(database.db)
})

t.test('I60: a server that falls silent is given up, and its connection with it: the next query does not wait behind',
  async (t) => {
    const stub = await startPostgresStub(t, (_socket, count) => count === 1 ? 'nothing' : 'answer')
    const database = openServer(stub.url, { max: 1, onError: quiet, queryTimeoutMs: 50 })
    t.teardown(() => database.close())
    const silent = await sql`select 1`.execute(database.db).catch((error: unknown) => error)
    t.match(silent, { message: 'Query read timeout' })
    t.ok(isConnectionError(silent))
    t.same((await sql`select 1`.execute(database.db)).rows, [])
    t.equal(stub.connections, 2)
  })

t.test('the queue asks with callbacks: it does not wait behind a silent connection either', async (t) => {
  const stub = await startPostgresStub(t, (_socket, count) => count === 1 ? 'nothing' : 'answer')
  const database = openServer(stub.url, { max: 1, onError: quiet, queryTimeoutMs: 50 })
  t.teardown(() => database.close())
  await t.rejects(database.pool.query('select 1', [1]), { message: 'Query read timeout' })
  await database.pool.query('select 1', [1])
  t.equal(stub.connections, 2)
})

t.test('whoever listens comes back once a pause, not twice as often each time', async (t) => {
  const tries: number[] = []
  const stub = await startPostgresStub(t, () => 'answer', () => tries.push(Date.now()) === 1)
  const listener = new Listener(new Primary(stub.url), quiet, 50)
  t.teardown(() => listener.close())
  await listener.listen('news', quiet)
  stub.breakAll()
  while (tries.length < 12) await new Promise((resolve) => setTimeout(resolve, 10))
  const pauses = tries.slice(2).map((at, index) => at - (tries[index + 1] ?? 0))
  // Timers may be late but are never early: tries that doubled would come at once.
  t.same(pauses.filter((pause) => pause < 40), [], `pauses of ${pauses.join(', ')} ms`)
})

t.test('channels that are asked for at once are subscribed to one after the other', async (t) => {
  const warnings: string[] = []
  const note = ({ message }: Error) => { warnings.push(message) }
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  const stub = await startPostgresStub(t, () => 'answer')
  const listener = new Listener(new Primary(stub.url), quiet, 50)
  t.teardown(() => listener.close())
  await Promise.all(['one', 'two', 'three'].map((channel) => listener.listen(channel, quiet)))
  await new Promise(setImmediate)
  t.same([warnings, stub.connections], [[], 1])
})

t.test('an error of a statement is no connection error', async (t) => {
  for (const code of ['23505', '22P02', '42P01']) t.notOk(isConnectionError({ code }))
  for (const code of ['57P01', '53300', '08006', '25P03', '57014', 'ETIMEDOUT']) t.ok(isConnectionError({ code }))
  t.notOk(isConnectionError(undefined))
})
