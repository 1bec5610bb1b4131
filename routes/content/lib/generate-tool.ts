import type { Arguments, Read } from '../../../plugins/tool-options.js'
import { contentUrl, titleOf } from './content-tools.js'
import { show, type WriteTool } from './show.js'

const briefOf = (args: Arguments, read: Read) => read(`/content/briefs/${encodeURIComponent(String(args.brief_id))}`)

const isCreate = ({ mode }: Arguments) => mode === undefined || mode === 'create'

export const generateContentTool: WriteTool = {
  effect: 'write',
  risk: 'low',
  async summary (args, read) {
    if (isCreate(args)) return `Make drafts of the brief "${String((await briefOf(args, read)).title)}"`
    const verb = args.mode === 'check' ? 'Check' : 'Write a repaired draft version of'
    return `${verb} "${await titleOf(args, read)}"`
  },
  async preview (args, read) {
    if (!isCreate(args)) {
      const { head_version: head } = await read(contentUrl(args))
      const after = args.mode === 'check' ? Number(head) : Number(head) + 1
      return [{ label: 'version', before: String(head), after: String(after) }]
    }
    const { channels } = await briefOf(args, read)
    return [{ label: 'drafts', before: null, after: show(args.channels ?? channels) }]
  }
}
