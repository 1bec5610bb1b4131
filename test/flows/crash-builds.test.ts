import t from 'tap'
import { get, send } from './crash-client.js'
import { addAccount, makeWorld } from './crash-steward.js'

const until = async <T>(read: () => Promise<T>, fits: (value: T) => boolean): Promise<T> => {
  for (const end = Date.now() + 90_000; ;) {
    const value = await read()
    if (fits(value)) return value
    if (Date.now() > end) throw new Error(`It stayed ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

type Build = Record<string, unknown> & { id: string, status: string, steps: { name: string, status: string }[] }

const registry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'
/** Known, so that no code host is asked: what is slow there has nothing to do with crashes. */
const commit = 'a'.repeat(40)

/** Where the worker dies, the step that the record shows as failed, and how many deployments it had begun. */
const points = [
  { fault: 'build.step:1', step: 'checkout', updates: 0 },
  { fault: 'build.step:2', step: 'build', updates: 0 },
  { fault: 'build.step:3', step: 'push', updates: 0 },
  { fault: 'build.step:4', step: 'deploy', updates: 0 },
  { fault: 'build.after_send:1', step: 'deploy', updates: 1 },
  { fault: 'build.step:5', step: 'verify', updates: 1 }
] as const

t.test('kill -9 of the worker at each step of a build: it is reported as lost, nothing is sent twice, the next goes on',
  async (t) => {
    const world = await makeWorld(t)
    const rolling = setInterval(() => { void world.control('/clock', { advance_ms: 5_000 }) }, 200)
    t.teardown(() => clearInterval(rolling))
    let { steward, url } = await world.start({ FAULT: points[0].fault })
    await addAccount(url)
    const made = await send(url, '/deployments/apps', {
      name: 'Shop',
      source: { repo: 'larkspur/web' },
      target: { kind: 'ecs_service', service_id: 'web', container: 'web' },
      image: `${registry}/web:{number}-ok`
    })
    const app = `/deployments/apps/${(await made.json() as { id: string }).id}`
    const newest = async () => (await get(url, `${app}/builds?limit=1`)).items as Build[]

    for (const [index, { fault, step }] of points.entries()) {
      // The worker may be gone before the answer is.
      await send(url, `${app}/deploy`, { force: true, commit }).catch(() => undefined)
      t.match(await steward.exited, { signal: 'SIGKILL' }, fault);
      ({ steward, url } = await world.start({ FAULT: points[index + 1]?.fault ?? '' }))
      const [lost] = await until(newest, ([build]) => build?.status !== 'running')
      t.match(lost, { number: index + 1, status: 'failed', status_reason: 'worker_lost' }, fault)
      t.match(lost?.steps.find(({ status }) => status === 'failed'), { name: step })
    }
    await send(url, `${app}/deploy`, { commit })
    const [last] = await until(newest, ([build]) => build?.status !== 'running' && build?.status !== 'queued')
    t.match(last, { number: points.length + 1, status: 'succeeded' })
    const begun = points.reduce((sum, { updates }) => sum + updates, 1)
    t.equal(await world.updates(), begun, 'what was sent was sent once')
  })
