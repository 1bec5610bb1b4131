import type { Arguments, Read } from '../../../../plugins/tool-options.js'
import { contentUrl, titleOf } from '../content-tools.js'
import { show, type WriteTool } from '../show.js'

const briefOf = async ({ brief_id: id, brief }: Arguments, read: Read): Promise<Arguments> => brief === undefined
  ? read(`/content/briefs/${encodeURIComponent(String(id))}`)
  // The route has checked the arguments against its schema before this runs.
  : brief as Arguments

const isCreate = ({ mode }: Arguments) => mode === undefined || mode === 'create'

const verbs: Record<string, string> = {
  check: 'Check',
  repair: 'Write a repaired draft version of',
  rewrite: 'Rewrite, as a draft version,',
  sections: 'Rewrite parts of, as a draft version,',
  adapt: 'Make drafts for other channels from',
  translate: 'Make translated drafts of'
}

/** What the model run may cost, as the person is told before. */
const costRows = ({ engine, budget }: Arguments) => [
  ...(engine === undefined ? [] : [{ label: 'engine', before: null, after: show(engine) }]),
  ...(budget === undefined ? [] : [{ label: 'budget', before: null, after: show(budget) }])
]

export const generateContentTool: WriteTool = {
  effect: 'write',
  risk: 'low',
  async summary (args, read) {
    if (isCreate(args)) return `Make drafts of the brief "${String((await briefOf(args, read)).title)}"`
    return `${verbs[String(args.mode)] ?? 'Generate from'} "${await titleOf(args, read)}"`
  },
  async preview (args, read) {
    if (args.mode === 'adapt' || args.mode === 'translate') {
      return [{ label: 'drafts', before: null, after: show(args.channels ?? args.locales) }, ...costRows(args)]
    }
    if (!isCreate(args)) {
      const { head_version: head } = await read(contentUrl(args))
      const after = args.mode === 'check' ? Number(head) : Number(head) + 1
      return [{ label: 'version', before: String(head), after: String(after) }, ...costRows(args)]
    }
    const { channels } = await briefOf(args, read)
    return [{ label: 'drafts', before: null, after: show(args.channels ?? channels) }, ...costRows(args)]
  }
}

const generationTool = (verb: string, after: string): WriteTool => ({
  effect: 'write',
  risk: 'low',
  summary: (args) => `${verb} the generation ${String(args.generation_id)}`,
  async preview (args, read) {
    const { status } = await read(`/content/generations/${encodeURIComponent(String(args.generation_id))}`)
    return [{ label: 'status', before: show(status), after }]
  }
})

export const cancelGenerationTool = generationTool('Cancel', 'cancelled')
export const retryGenerationTool = generationTool('Go on with', 'a new generation')
