import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from '../tap.js'
import { migrationNames } from '../../db/migrate.js'
import { addAccount, makeWorld } from '../flows/crash-steward.js'
import { keepAdvancing } from '../keep-advancing.js'
import { buildLastRelease, lastRelease } from '../last-release.js'
import { passed } from './conversation.js'
import { Instance } from './fleet.js'
import { freePort, startControlledProxy } from './haproxy.js'
import { chaosLimits } from './limits.js'
import { openQueries, requirePostgres } from './postgres.js'
import { sizes } from './sizes.js'
import { look } from './survivor.js'
import { Load } from './upgrade-load.js'

t.setTimeout(1_800_000)
await requirePostgres(t)
const release = buildLastRelease()
// A copy, since it gets later migrations.
const folder = `${release}-${process.pid}`
cpSync(release, folder, { recursive: true, verbatimSymlinks: true })
t.teardown(() => rmSync(folder, { recursive: true }))
const world = await makeWorld(t, { LIMITS: JSON.stringify(chaosLimits) })
const query = openQueries(t, world.env.DATABASE_URL ?? '')
const countMigrations = async () => (await query('select name from kysely_migration')).length
const ports = await Promise.all(Array.from({ length: 4 }, freePort))
const make = (port: number, release?: string) => new Instance(t, { ...world.env, PORT: String(port) }, release)
const [oldOne, oldOther] = ports.slice(0, 2).map((port) => make(port, folder)) as [Instance, Instance]
const [newOne, newOther] = ports.slice(2).map((port) => make(port)) as [Instance, Instance]

const pause = () => new Promise((resolve) => setTimeout(resolve, sizes.upgradeSeconds * 1_000))

/** As docs/operating.md says of a release that does not start on the database of a later one. */
const startAgain = (instance: Instance): Promise<void> => instance.start().catch((error: unknown) => {
  if (!String(error).includes('corrupted migrations')) throw error
  cpSync(join('dist', 'db', 'migrations'), join(folder, 'dist', 'db', 'migrations'), { recursive: true, force: false })
  return instance.start()
})

/** The last release could not stop while a run called tools: it failed, and its client had to say it again. */
const blame = (complaints: string[]) => {
  const stopped = [oldOne, oldOther].flatMap(({ errors }) => errors)
    .flatMap((line) => line.includes('Fastify has already been closed') ? /"run_id":"([^"]+)"/.exec(line)?.[1] ?? [] : [])
  const isOthers = (complaint: string) => stopped.some((id) => complaint.includes(id))
  return { own: complaints.filter((one) => !isOthers(one)), others: complaints.filter(isOthers) }
}

t.test(`two instances of ${lastRelease.slice(0, 12)} are replaced under load, and come back`, async (t) => {
  await Promise.all([oldOne, oldOther].map((instance) => instance.start()))
  const { url, ask } = await startControlledProxy(t, ports)
  await addAccount(url)
  keepAdvancing(t, () => world.control('/clock', { advance_ms: 5_000 }), 200)
  await world.speakSlowly(20)
  const load = new Load(url)
  load.begin(sizes.isShort ? 3 : 10)
  await pause()

  /** As docs/operating.md says: nothing new comes to it, and what it has begun ends. */
  const drain = async ({ port }: Instance) => {
    const name = `at${port}`
    await ask(`set server steward/${name} state drain`)
    const sessions = async () => Number((await ask('show stat')).split('\n')
      .map((line) => line.split(',')).find(([, server]) => server === name)?.[4])
    t.equal(await look(sessions, (count) => count === 0), 0, 'nobody is connected to it any more')
  }
  const replace = async (gone: Instance, come: Instance, drains: boolean) => {
    await startAgain(come)
    await ask(`set server steward/at${come.port} state ready`)
    await pause()
    for (const { url } of [gone, come]) await load.checkCredentials(url)
    if (drains) await drain(gone)
    t.match(await gone.stop(), { code: 0 }, 'it stops in good order')
    await load.checkCredentials(come.url)
  }
  const [there, back] = [[[oldOne, newOne], [oldOther, newOther]], [[newOne, oldOne], [newOther, oldOther]]] as const
  for (const [gone, come] of there) await replace(gone, come, true)
  // An instance of this release needs no help of the proxy.
  for (const [gone, come] of back) await replace(gone, come, false)
  for (const [gone, come] of there) await replace(gone, come, true)
  await load.end()

  const { writes, builds, signIns, reads } = load
  t.comment(`${writes.length} approved writes, ${builds} builds, ${signIns} sign-ins, ${reads} reads`)
  t.equal(await countMigrations(), (await migrationNames()).length, 'the migrations ran under the last release')
  for (const { port, errors } of [newOne, newOther]) t.same(errors, [], `at ${port} no error was logged`)
  const { own, others } = blame(load.complaints)
  t.same(own, [], 'everything was answered, and every run and build came to a good end')
  t.comment(`${others.length} runs failed that an instance of the last release was stopped with`)
  // For what an instance does not answer the proxy answers; that it closes a connection on which nothing was sent for a
  // while, just as something is, is between it and the client.
  const isProxys = (one: string) => one.includes('other side closed')
  t.same(passed.filter((one) => !/^503 .* with Retry-After$/.test(one) && !isProxys(one)), [],
    'what was refused says when to ask again')
  t.comment(`${passed.length} times asked again: ${[...new Set(passed)].join('; ')}`)

  const { calls } = await world.control('/calls?operation=UpdateService')
  const done = calls.filter(({ executed }) => executed).map(({ params }) => params.desiredCount)
  const timesOf = (wanted: number) => done.filter((count) => count === wanted).length
  t.same(load.writes.map(({ wanted, conversation }) =>
    [wanted, conversation.result('scaleService')?.status, timesOf(wanted)]),
  load.writes.map(({ wanted }) => [wanted, 'succeeded', 1]), 'every write was done once')
  t.equal(done.filter((count) => count === undefined).length, load.builds, 'every build was deployed once')
  const seen: string[] = []
  for (const { conversation } of load.writes) seen.push(...await conversation.compare(newOne.url))
  t.same(seen, [], 'every stream, seen over connections to both releases, is what this one streams')
})
