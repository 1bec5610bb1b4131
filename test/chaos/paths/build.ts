import { CodeBuild, type ListBuildsForProjectOutput } from '@aws-sdk/client-codebuild'
import { SANDBOX_CREDENTIALS } from '../../../packages/sandbox/src/aws/constants.js'
import { addAccount } from '../../flows/crash-steward.js'
import { look } from '../survivor.js'
import { unless, type Path } from './path.js'

const registry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'
const project = 'web-image'
const open = new Set(['queued', 'running'])

interface Build { status: string, status_reason: string | null }

/** An app is built and deployed: a build whose worker is lost goes on, and what was begun is not begun again. */
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
      image: `${registry}/web:{sha}`,
      builder: { kind: 'codebuild', project }
    })
    const path = `/deployments/apps/${String(id)}`
    const codebuild = new CodeBuild({
      endpoint: survivor.world.aws.url, region: 'eu-west-1', credentials: SANDBOX_CREDENTIALS
    })
    t.teardown(() => codebuild.destroy())
    /** Pages have a hundred. */
    const countImages = async (): Promise<number> => {
      let [count, nextToken]: [number, string | undefined] = [0, undefined]
      do {
        const page: ListBuildsForProjectOutput = await codebuild.listBuildsForProject({ projectName: project, nextToken })
        count += page.ids?.length ?? 0
        nextToken = page.nextToken
      } while (nextToken !== undefined)
      return count
    }
    const list = async () => (await survivor.ask('GET', `${path}/builds?limit=100`)).items as Build[]
    return async (number) => {
      const [updates, images, builds] = [await survivor.world.updates(), await countImages(), (await list()).length]
      await survivor.ask('POST', `${path}/deploy`, { commit: number.toString(16).padStart(40, '0') })
      const all = await look(list, (items) =>
        items.length > builds && items.every(({ status }) => !open.has(status)))
      // The newest come first.
      const made = all.slice(0, all.length - builds)
      const times = await survivor.world.updates() - updates
      const built = await countImages() - images
      const good = made.filter(({ status }) => status === 'succeeded').length
      return [
        ...unless(made.length > 0 && good === made.length, `builds ended as ${JSON.stringify(made)}`),
        ...unless(built === made.length, `${made.length} builds made ${built} images`),
        ...unless(times === made.length, `${made.length} builds began ${times} deployments`)
      ]
    }
  }
}
