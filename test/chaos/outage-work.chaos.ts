import t from '../tap.js'
import { until } from '../chat.js'
import { startBehindProxy } from './behind-proxy.js'
import { fall, Watched } from './outage.js'
import { requirePostgres } from './postgres.js'
import { build } from './paths/build.js'
import { preparePublication, publication } from './paths/publication.js'
import { webhook } from './paths/webhook.js'
import { sizes } from './sizes.js'

await requirePostgres(t)
const { world, proxy, steward, url, query } = await startBehindProxy(t, publication.settings)

/** Milliseconds until the database becomes unavailable, and for how long: also for longer than leases. */
const falls: [ms: number, lasts: number][] = sizes.isShort
  ? [[0, 1_000], [300, 1_000], [800, 5_000]]
  : Array.from({ length: 30 }, (_, index) => [index * 75, index % 3 === 2 ? 5_000 : 1_000])

t.test('a build whose database becomes unavailable in the middle continues, and is not sent twice', async (t) => {
  const watched = new Watched(t, world, query, url, '/deploy')
  const go = await build.prepare(t, watched)
  for (const [index, [ms, lasts]] of falls.entries()) {
    let fallen = Promise.resolve()
    watched.onRequested = () => { fallen = fall(proxy, ms, lasts) }
    t.same(await go(index), [], `${ms} ms after it was asked for, for ${lasts} ms`)
    await fallen
  }
  const builds = await query<{ status: string }>('select status from deployment_build order by number')
  t.same(builds.map(({ status }) => status), falls.map(() => 'succeeded'), 'none is lost, and none was made twice')
  t.equal(await world.updates(), falls.length, 'each was deployed once')
  const left = steward.output.match(/"work":"builds"[^\n]*work was left/g) ?? []
  t.ok(left.length > 0, `builds were released ${left.length} times`)
})

t.test('a publication whose database becomes unavailable during delivery is sent again with the same id', async (t) => {
  const watched = new Watched(t, world, query, url, '/publish')
  let deliveries = 0
  const go = await preparePublication(t, watched, async () => {
    if (++deliveries % 2 === 0) return
    // Once the database is back, the path triggers at once what would happen within a minute.
    void fall(proxy, 0).then(() => { watched.died = true })
    await until(() => proxy.way === 'down')
  })
  for (const number of [1, 2]) {
    watched.died = false
    t.same(await go(number), [])
    t.equal(deliveries, 2 * number, 'the first delivery could not be recorded')
  }
})

t.test('a webhook whose database becomes unavailable: what was answered with 202 takes effect once', async (t) => {
  const { world, proxy, steward, url, query } = await startBehindProxy(t, webhook.settings)
  const watched = new Watched(t, world, query, url, '/webhooks/codehost')
  const go = await webhook.prepare(t, watched)
  for (const [index, [ms, lasts]] of falls.entries()) {
    watched.died = false
    const fallen = fall(proxy, ms / 10, lasts).then(() => { watched.died = true })
    t.same(await go(index), [], `${ms / 10} ms after it was sent, for ${lasts} ms`)
    await fallen
  }
  t.equal(steward.child.exitCode, null, 'the process is the same')
})
