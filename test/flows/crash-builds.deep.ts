import t from '../tap.js'
import { keepAdvancing } from '../keep-advancing.js'
import { get, send } from './crash-client.js'
import { addAccount, makeWorld } from './crash-steward.js'

/**
 * A worker that dies while it sends holds the deployment for a minute, and the look for what was left comes within half
 * a minute; then the deployment has to end.
 */
const patienceMs = 240_000

const until = async <T>(read: () => Promise<T>, fits: (value: T) => boolean): Promise<T> => {
  for (const end = Date.now() + patienceMs; ;) {
    const value = await read()
    if (fits(value)) return value
    if (Date.now() > end) throw new Error(`It stayed ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

type Build = Record<string, unknown> & { id: string, status: string, steps: { name: string, status: string }[] }

const registry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'
/** The newest commit of larkspur/web. */
const commit = '79987598baab81b5d5557c4a2df52597c942eb7c'

/** Where the worker dies. */
const points = ['build.step:1', 'build.step:2', 'build.after_send:1', 'build.step:3']

t.test('kill -9 of the worker at each step of a build: the next process goes on with it, and nothing is sent twice',
  async (t) => {
    const world = await makeWorld(t)
    keepAdvancing(t, () => world.control('/clock', { advance_ms: 5_000 }), 200)
    let { steward, url } = await world.start()
    await addAccount(url)
    const made = await send(url, '/deployments/apps', {
      name: 'Shop',
      source: { repo: 'larkspur/web' },
      target: { kind: 'ecs_service', service_id: 'web', container: 'web' },
      image: `${registry}/web:{number}-ok`
    })
    const app = `/deployments/apps/${(await made.json() as { id: string }).id}`
    const newest = async () => (await get(url, `${app}/builds?limit=1`)).items as Build[]

    for (const [index, fault] of points.entries()) {
      await steward.kill();
      ({ steward, url } = await world.start({ FAULT: fault }))
      // The worker may be gone before the answer is.
      await send(url, `${app}/deploy`, { force: true, commit }).catch(() => undefined)
      t.match(await steward.exited, { signal: 'SIGKILL' }, fault);
      ({ steward, url } = await world.start())
      const [ended] = await until(newest, ([build]) => build?.finished_at !== null)
      t.match(ended, { number: index + 1, status: 'succeeded', status_reason: null }, fault)
      t.equal(await world.updates(), index + 1, 'it was deployed once')
    }
  })
