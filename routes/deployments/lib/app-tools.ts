import type { Arguments, PreviewRow, Read, ToolOptions } from '../../../plugins/tool-options.js'

type WriteTool = Exclude<ToolOptions, 'read'>

const fields = ['name', 'source', 'target', 'image', 'environment', 'auto_deploy'] as const

const show = (value: unknown): string | null => {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const appUrl = (args: Arguments) => `/deployments/apps/${encodeURIComponent(String(args.app_id))}`

const nameOf = async (args: Arguments, read: Read) => String((await read(appUrl(args))).name)

const asked = (args: Arguments) => fields.filter((field) => args[field] !== undefined)

const changes = (args: Arguments, before: Arguments): PreviewRow[] => asked(args).map((field) =>
  ({ label: field, before: show(before[field]), after: show(args[field]) }))

/** Reads the target as the route will: one that is not there is known before anybody approves. */
const checkTarget = async ({ target }: Arguments, read: Read): Promise<void> => {
  // The route has checked the arguments against its schemas before this runs.
  const wish = target as { service_id?: string, function_id?: string } | undefined
  if (wish?.service_id) await read(`/infrastructure/containers/services/${encodeURIComponent(wish.service_id)}`)
  if (wish?.function_id) await read(`/infrastructure/serverless/functions/${encodeURIComponent(wish.function_id)}`)
}

const findByName = async (name: unknown, read: Read): Promise<boolean> => {
  for (let cursor: unknown; cursor !== null;) {
    const after = cursor ? `&cursor=${encodeURIComponent(String(cursor))}` : ''
    const page = await read(`/deployments/apps?limit=100${after}`)
    // The items of listApps, as any client reads them.
    if ((page.items as Arguments[]).some((app) => app.name === name)) return true
    cursor = page.next_cursor
  }
  return false
}

export const createAppTool: WriteTool = {
  effect: 'write',
  risk: 'low',
  summary: (args) => `Create app ${String(args.name)}`,
  async preview (args, read) {
    await checkTarget(args, read)
    return changes(args, {})
  },
  reconcile: async (args, read) => await findByName(args.name, read) ? 'unclear' : 'not_done'
}

export const updateAppTool: WriteTool = {
  effect: 'write',
  risk: 'medium',
  summary: async (args, read) => `Change app ${await nameOf(args, read)}: ${asked(args).join(', ')}`,
  async preview (args, read) {
    await checkTarget(args, read)
    return changes(args, await read(appUrl(args)))
  }
}

export const deleteAppTool: WriteTool = {
  effect: 'write',
  risk: 'high',
  summary: async (args, read) => `Delete app ${await nameOf(args, read)} with the record of its builds`,
  async preview (args, read) {
    const app = await read(appUrl(args))
    return [{ label: 'app', before: String(app.name), after: null }]
  }
}
