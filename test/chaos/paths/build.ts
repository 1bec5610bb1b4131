import { addAccount } from '../../flows/crash-steward.js'
import { look } from '../survivor.js'
import { unless, type Path } from './path.js'

const registry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'
const open = new Set(['queued', 'running'])

interface Build { status: string, status_reason: string | null }

/** An app is deployed: a build whose worker is lost goes on, and what was begun is not begun again. */
export const build: Path = {
  areas: ['build'],
  async prepare (t, survivor) {
    await addAccount(survivor.url)
    const rolling = setInterval(() => { void survivor.world.control('/clock', { advance_ms: 5_000 }) }, 200)
    t.teardown(() => clearInterval(rolling))
    const { id } = await survivor.ask('POST', '/deployments/apps', {
      name: 'Shop',
      source: { repo: 'larkspur/web' },
      target: { kind: 'ecs_service', service_id: 'web', container: 'web' },
      image: `${registry}/web:{number}-ok`
    })
    const path = `/deployments/apps/${String(id)}`
    const list = async () => (await survivor.ask('GET', `${path}/builds?limit=100`)).items as Build[]
    return async (number) => {
      const [updates, builds] = [await survivor.world.updates(), (await list()).length]
      await survivor.ask('POST', `${path}/deploy`, { commit: number.toString(16).padStart(40, '0') })
      const all = await look(list, (items) =>
        items.length > builds && items.every(({ status }) => !open.has(status)))
      // The newest come first.
      const made = all.slice(0, all.length - builds)
      const times = await survivor.world.updates() - updates
      const good = made.filter(({ status }) => status === 'succeeded').length
      return [
        ...unless(made.length > 0 && good === made.length, `builds ended as ${JSON.stringify(made)}`),
        ...unless(times === made.length, `${made.length} builds began ${times} deployments`)
      ]
    }
  }
}
