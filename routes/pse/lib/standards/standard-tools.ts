import type { Arguments, Read, ToolOptions } from '../../../../plugins/tool-options.js'

const url = ({ standard }: Arguments) => `/pse/standards/${encodeURIComponent(String(standard))}`

const titleOf = async (args: Arguments, read: Read): Promise<string> => {
  const { title, key } = await read(url(args))
  return `${String(title)} (${String(key)})`
}

export const deleteStandardTool: Exclude<ToolOptions, 'read'> = {
  effect: 'write',
  risk: 'high',
  summary: async (args, read) => `Archive the standard ${await titleOf(args, read)}`,
  preview: async (args, read) => [{ label: 'standard', before: await titleOf(args, read), after: null }],
  reconcile: async (args, read) => (await read(url(args))).status === 'archived' ? 'done' : 'not_done'
}
