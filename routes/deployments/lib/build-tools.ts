import type { Arguments, PreviewRow, Read, ToolOptions } from '../../../plugins/tool-options.js'
import type { App } from '../../../schemas/deployments/apps.js'
import type { Build } from '../../../schemas/deployments/builds.js'
import { appUrl } from './app-tools.js'
import { fillTemplate, pinned } from './images.js'

type WriteTool = Exclude<ToolOptions, 'read'>

// The answers' schemas are App and Build.
const readApp = async (args: Arguments, read: Read) => await read(appUrl(args)) as unknown as App
const readBuild = async (args: Arguments, read: Read, id: unknown) =>
  await read(`${appUrl(args)}/builds/${encodeURIComponent(String(id))}`) as unknown as Build

const targetOf = ({ target }: App) => target.kind === 'lambda' ? target.function_id : target.service_id

const imageNow = async (app: App, args: Arguments, read: Read): Promise<string | null> =>
  app.live_build && (await readBuild(args, read, app.live_build.id)).image

const imageOf = async (app: App, args: Arguments, read: Read): Promise<string | null> => {
  if (args.rollback_to !== undefined) return rolledBack(await readBuild(args, read, args.rollback_to))
  if (args.image !== undefined) return String(args.image)
  const commit = args.commit === undefined ? null : String(args.commit)
  const ref = String(args.ref ?? commit ?? app.source.default_branch)
  return app.image && (commit === null && /\{(short_)?sha\}/.test(app.image)
    ? `${app.image} with the newest commit of ${ref}`
    : fillTemplate(app.image, { commit, ref, number: (app.latest_build?.number ?? 0) + 1 }))
}

const rolledBack = ({ image, image_digest: digest }: Build): string | null => image && pinned(image, digest)

const rows = (app: App, before: string | null, after: string | null): PreviewRow[] => [
  { label: 'Image', before, after },
  { label: 'Target', before: targetOf(app), after: targetOf(app) },
  ...(app.queue_length > 0 ? [{ label: 'Builds before it', before: null, after: String(app.queue_length) }] : [])
]

const whatOf = (args: Arguments): string => {
  if (args.rollback_to !== undefined) return 'an earlier build'
  return String(args.image ?? args.commit ?? args.ref ?? 'the default branch')
}

export const deployAppTool: WriteTool = {
  effect: 'write',
  risk: 'high',
  summary: async (args, read) => {
    const app = await readApp(args, read)
    return `Deploy ${whatOf(args)} of app ${app.name} to ${targetOf(app)}`
  },
  async preview (args, read) {
    const app = await readApp(args, read)
    return rows(app, await imageNow(app, args, read), await imageOf(app, args, read))
  }
}

export const cancelBuildTool: WriteTool = {
  effect: 'write',
  risk: 'medium',
  summary: async (args, read) => {
    const [app, build] = [await readApp(args, read), await readBuild(args, read, args.build_id)]
    return `Cancel build ${build.number} of app ${app.name}`
  },
  async preview (args, read) {
    const build = await readBuild(args, read, args.build_id)
    const step = build.steps.find(({ status }) => status === 'running')
    const deploying = step?.name === 'deploy'
    return [{
      label: `Build ${build.number}`,
      before: step ? `${build.status}, step ${step.name}` : build.status,
      after: deploying ? 'cancelled; the service goes back to what it ran' : 'cancelled'
    }]
  },
  async reconcile (args, read) {
    const { status } = await readBuild(args, read, args.build_id)
    return status === 'cancelled' || status === 'cancelling' ? 'done' : 'unclear'
  }
}

export const rollbackBuildTool: WriteTool = {
  effect: 'write',
  risk: 'high',
  summary: async (args, read) => {
    const [app, build] = [await readApp(args, read), await readBuild(args, read, args.build_id)]
    return `Roll app ${app.name} back to build ${build.number}`
  },
  async preview (args, read) {
    const [app, build] = [await readApp(args, read), await readBuild(args, read, args.build_id)]
    return rows(app, await imageNow(app, args, read), rolledBack(build))
  }
}
