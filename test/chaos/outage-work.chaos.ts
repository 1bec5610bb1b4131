import t from 'tap'
import { until } from '../chat.js'
import { startBehindProxy } from './behind-proxy.js'
import { fall, Watched } from './outage.js'
import { requirePostgres } from './postgres.js'
import { build } from './roads/build.js'
import { preparePublication, publication } from './roads/publication.js'
import { webhook } from './roads/webhook.js'
import { sizes } from './sizes.js'

await requirePostgres(t)
const { world, proxy, steward, url, query } = await startBehindProxy(t, publication.settings)

/** Milliseconds until the database goes away, and for how long: for longer than leases, too. */
const falls: [ms: number, lasts: number][] = sizes.isShort
  ? [[0, 1_000], [300, 1_000], [800, 5_000]]
  : Array.from({ length: 30 }, (_, index) => [index * 75, index % 3 === 2 ? 5_000 : 1_000])

t.test('a build whose database goes away in the middle: it goes on, and is not sent twice', async (t) => {
  const watched = new Watched(t, world, query, url, '/deploy')
  const go = await build.prepare(t, watched)
  for (const [index, [ms, lasts]] of falls.entries()) {
    let fallen = Promise.resolve()
    watched.onAsked = () => { fallen = fall(proxy, ms, lasts) }
    t.same(await go(index), [], `${ms} ms after it was asked for, for ${lasts} ms`)
    await fallen
  }
  const builds = await query<{ status: string }>('select status from deployment_build order by number')
  t.same(builds.map(({ status }) => status), falls.map(() => 'succeeded'), 'none is lost, and none was made twice')
  t.equal(await world.updates(), falls.length, 'each was deployed once')
  const left = steward.output.match(/"work":"builds"[^\n]*work was left/g) ?? []
  t.ok(left.length > 0, `builds were given back ${left.length} times`)
})

t.test('a publication whose database goes away while its target is told: it comes again as the same one', async (t) => {
  const watched = new Watched(t, world, query, url, '/publish')
  let told = 0
  const go = await preparePublication(t, watched, async () => {
    if (++told % 2 === 0) return
    // What a minute does by itself is hurried along when it is back.
    void fall(proxy, 0).then(() => { watched.died = true })
    await until(() => proxy.way === 'down')
  })
  for (const number of [1, 2]) {
    watched.died = false
    t.same(await go(number), [])
    t.equal(told, 2 * number, 'what was told the first time could not be written down')
  }
})

t.test('a webhook whose database goes away: what was answered with 202 takes effect once', async (t) => {
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
