import { setTimeout as sleep } from 'node:timers/promises'
import { EventEmitter, once } from 'node:events'
import t, { type Test } from '../tap.js'
import { buildApp } from '../app.js'

// Nothing looks for jobs by itself within the time of a test.
const app = await buildApp(t, { SANDBOX: 'off', LIMITS: '{"idle_look_ms":3600000}' })
const done = new EventEmitter()
const seen: unknown[] = []
const tries = new Map<unknown, number>()

/** Fails as often as its data says. */
const handle = async ({ name, fails = 0 }: { name?: string, fails?: number }) => {
  const before = tries.get(name) ?? 0
  tries.set(name, before + 1)
  if (before < fails) throw new Error('This one is tried again')
  seen.push(name)
  done.emit('one')
}

app.jobs.define('test.single', handle, { retries: 3 })
app.jobs.define('test.several', handle, { concurrency: 3 })
app.jobs.define('test.never', async () => {
  throw Object.assign(new Error('violates a foreign key'), { code: '23503', detail: 'Key (name)=(secret)' })
}, { retries: 0 })
app.jobs.define('test.endless', (_data, signal) => new Promise(() => {
  signal.addEventListener('abort', () => done.emit('expired'))
}), { retries: 0, expireSeconds: 1 })
const sweeps: number[] = []
app.jobs.define('test.sweep', async () => {
  sweeps.push(sweeps.length)
  done.emit('one')
  if (sweeps.length === 1) throw new Error('The next one is not lost with it')
}, { everyMs: 100 })
await app.jobs.start()
// The workers have looked for the first time, and sleep.
await sleep(500)

const untilSeen = async (t: Test, names: string[]) => {
  while (names.some((name) => !seen.includes(name))) await once(done, 'one')
  t.same(seen.splice(0).toSorted(), names.toSorted())
}

t.test('a job wakes its queue', async (t) => {
  await app.jobs.enqueue(app.db, 'test.single', { name: 'first' })
  await untilSeen(t, ['first'])
  await app.jobs.enqueue(app.db, 'test.several', { name: 'second' })
  await untilSeen(t, ['second'])
})

t.test('a job wakes its queue when its transaction is committed, and not when it is rolled back', async (t) => {
  await app.db.transaction().execute(async (trx) => {
    await app.jobs.enqueue(trx, 'test.single', { name: 'committed' })
  })
  await t.rejects(app.db.transaction().execute(async (trx) => {
    await app.jobs.enqueue(trx, 'test.single', { name: 'never' })
    throw new Error('rolled back')
  }))
  await app.jobs.enqueue(app.db, 'test.single', { name: 'after' })
  await untilSeen(t, ['committed', 'after'])
})

t.test('a queue is worked off to its end, one job after the other', async (t) => {
  const names = Array.from({ length: 20 }, (_, index) => `one of many ${index}`)
  await app.db.transaction().execute(async (trx) => {
    for (const name of names) await app.jobs.enqueue(trx, 'test.single', { name })
  })
  await untilSeen(t, names)
})

t.test('jobs that are put off, and those that failed, are done when they are due', async (t) => {
  await app.jobs.enqueue(app.db, 'test.single', { name: 'later' }, { startAfter: 2 })
  await app.jobs.enqueue(app.db, 'test.single', { name: 'again', fails: 2 })
  await untilSeen(t, ['later', 'again'])
})

t.test('a job that fails for good is one error in the log, with its cause and the ids that it names', async (t) => {
  const logged = t.capture(app.log, 'error')
  const expired = once(done, 'expired')
  await app.jobs.enqueue(app.db, 'test.endless', {})
  await expired
  await app.jobs.enqueue(app.db, 'test.never', { workspace_id: 'w', firing_id: 'f', secret: 'hidden' })
  const errors = []
  while (errors.length < 2) {
    await sleep(50)
    errors.push(...logged())
  }
  const byJob = errors.map(({ args: [line] }) => line as { job: string }).sort((a, b) => a.job < b.job ? -1 : 1)
  t.match(byJob, [
    { job: 'test.endless', attempts: 1, names: {}, reason: 'handler execution exceeded 1s' },
    {
      job: 'test.never',
      attempts: 1,
      names: { workspace_id: 'w', firing_id: 'f' },
      reason: 'violates a foreign key',
      code: '23503'
    }
  ])
  t.notMatch(JSON.stringify(byJob), /hidden|secret/)
  // One that succeeds later is none.
  await app.jobs.enqueue(app.db, 'test.single', { name: 'second attempt', fails: 1 })
  await untilSeen(t, ['second attempt'])
  t.same(logged(), [])
})

t.test('what runs by itself goes on, also after an error', async (t) => {
  while (sweeps.length < 3) await once(done, 'one')
  t.same(sweeps.slice(0, 3), [0, 1, 2])
})

t.test('whoever enqueues in a process that does no work wakes those that do', {
  skip: app.database.embedded && 'the embedded database has one process'
}, async (t) => {
  const other = await buildApp(t, {
    SANDBOX: 'off', WORKER: 'false', DATABASE_URL: String(app.config.DATABASE_URL), DATA_DIR: app.config.DATA_DIR
  })
  other.jobs.define('test.single', handle)
  await other.jobs.enqueue(other.db, 'test.single', { name: 'from elsewhere' })
  await untilSeen(t, ['from elsewhere'])
})
