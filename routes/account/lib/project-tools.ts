import type { Arguments, PreviewRow, Read, ToolOptions } from '../../../plugins/tool-options.js'

type WriteTool = Exclude<ToolOptions, 'read'>

const fields = ['name', 'description'] as const

const show = (value: unknown): string | null => typeof value === 'string' ? value : null

const urlOf = (args: Arguments) => `/account/projects/${encodeURIComponent(String(args.project_id))}`

const nameOf = async (args: Arguments, read: Read) => String((await read(urlOf(args))).name)

const asked = (args: Arguments) => fields.filter((field) => args[field] !== undefined)

const changes = (args: Arguments, before: Arguments): PreviewRow[] => asked(args).map((field) =>
  ({ label: field, before: show(before[field]), after: show(args[field]) }))

const isAsAsked = (args: Arguments, project: Arguments) =>
  asked(args).every((field) => show(project[field]) === show(args[field]))

/** @returns the project that bears the name now: names are unique among those not archived */
const findByName = async (name: unknown, read: Read): Promise<Arguments | undefined> => {
  const found = await read(`/account/projects?limit=100&q=${encodeURIComponent(String(name))}`)
  // The items of listProjects, as any client reads them.
  return (found.items as Arguments[]).find((project) => project.name === name)
}

export const createTool: WriteTool = {
  effect: 'write',
  risk: 'low',
  summary: (args) => `Create project ${String(args.name)}`,
  preview: (args) => changes(args, {}),
  async reconcile (args, read) {
    const project = await findByName(args.name, read)
    if (!project) return 'not_done'
    return isAsAsked(args, project) ? 'done' : 'unclear'
  }
}

export const updateTool: WriteTool = {
  effect: 'write',
  risk: 'low',
  summary: async (args, read) => `Change project ${await nameOf(args, read)}: ${asked(args).join(', ')}`,
  preview: async (args, read) => changes(args, await read(urlOf(args))),
  reconcile: async (args, read) => isAsAsked(args, await read(urlOf(args))) ? 'done' : 'unclear'
}

export const archiveTool: WriteTool = {
  effect: 'write',
  risk: 'medium',
  summary: async (args, read) => `Archive project ${await nameOf(args, read)}`,
  async preview (args, read) {
    const project = await read(urlOf(args))
    return [{ label: 'status', before: project.archived_at === null ? 'in use' : 'archived', after: 'archived' }]
  },
  reconcile: async (args, read) => (await read(urlOf(args))).archived_at === null ? 'not_done' : 'done'
}
