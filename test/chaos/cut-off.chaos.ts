import t from '../tap.js'
import { until } from '../chat.js'
import { get, send } from '../flows/crash-client.js'
import { addAccount, launch } from '../flows/crash-steward.js'
import { keepAdvancing } from '../keep-advancing.js'
import { startBehindProxy } from './behind-proxy.js'
import { Instance } from './fleet.js'
import { freePort } from './haproxy.js'
import { requirePostgres } from './postgres.js'
import { sizes } from './sizes.js'

/**
 * Two processes on one database, and the way of one of them is spoiled: it lives, serves and reaches the providers, but
 * its leases lapse. What it held goes on at the other, and what it still does in its ignorance changes nothing.
 */
await requirePostgres(t)
const { world, proxy, steward, query } = await startBehindProxy(t, { WORKER: 'only' })
const api = new Instance(t, { ...world.env, PORT: String(await freePort()), WORKER: 'false' })
await api.start()
await addAccount(api.url)
const registry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'
/** The newest commit of larkspur/web. */
const commit = '79987598baab81b5d5557c4a2df52597c942eb7c'

interface Build extends Record<string, unknown> { number: number, status: string, finished_at: string | null }

const made = await send(api.url, '/deployments/apps', {
  name: 'Shop',
  source: { repo: 'larkspur/web' },
  target: { kind: 'ecs_service', service_id: 'web', container: 'web' },
  image: `${registry}/web:{number}-ok`
})
const app = `/deployments/apps/${(await made.json() as { id: string }).id}`
const newest = async (): Promise<Build | undefined> =>
  ((await get(api.url, `${app}/builds?limit=1`)).items as Build[])[0]

/** @returns who holds the build that is not finished, and since which epoch */
const holder = async () =>
  (await query<{ owner: string, epoch: number }>(`select lease_owner as owner,
    lease_epoch::int as epoch from deployment_build where lease_owner is not null and finished_at is null`))[0]

const ways = { 'swallows everything': 'hole', 'is gone': 'down' } as const
/**
 * Calls of a provider that take long, so that the way is spoiled in their middle. The latter two are made by a job,
 * which another process takes no sooner than a minute later.
 */
const moments = ['DescribeServices', 'UpdateService', 'RegisterTaskDefinition']
let number = 0

const callsOf = async (operation: string): Promise<number> =>
  (await world.control(`/calls?operation=${operation}`)).calls.length

for (const [name, way] of Object.entries(ways)) {
  for (const operation of sizes.isShort ? moments.slice(0, way === 'hole' ? 2 : 1) : moments) {
    t.test(`a build whose worker's way to the database ${name} in ${operation} goes on at another, and is sent once`,
      async (t) => {
        proxy.become('open')
        await world.control('/faults', { kind: 'slow', operation, delay_ms: 3_000, times: 1 })
        const before = await world.updates()
        const seen = await callsOf(operation)
        t.equal((await send(api.url, `${app}/deploy`, { force: true, commit })).status, 202)
        number++
        const first = await until(holder)
        await until(async () => await callsOf(operation) > seen)
        proxy.become(way)
        const other = launch(t, { ...world.env, PORT: String(await freePort()), WORKER: 'only' })
        await other.listening()
        const second = await until(async () => {
          const now = await holder()
          return now && now.owner !== first.owner ? now : undefined
        })
        t.ok(second.epoch > first.epoch, 'the other claimed it under a new epoch')
        keepAdvancing(t, () => world.control('/clock', { advance_ms: 5_000 }), 200)
        const ended = await until(async () => {
          const build = await newest()
          return build?.finished_at ? build : undefined
        })
        t.match(ended, { number, status: 'succeeded', status_reason: null })
        t.equal(await world.updates() - before, 1, 'deployed once')
        // What was cut off comes back, and finds that none of it is its own any more.
        proxy.become('open')
        await other.kill('SIGTERM')
        await new Promise((resolve) => setTimeout(resolve, 2_000))
        t.same(await newest(), ended, 'and nothing of it is written again')
        t.equal(await world.updates() - before, 1)
        t.equal(steward.child.exitCode, null, 'the process that was cut off lives')
      })
  }
}
