import type { Arguments, PreviewRow, Read } from '../../../../plugins/tool-options.js'
import { contentUrl, titleOf } from '../content-tools.js'
import { show, type WriteTool } from '../show.js'

interface Target { target_id: string, name: string, enabled: boolean }

const targetsOf = async (args: Arguments, read: Read): Promise<string> => {
  const { project_id: project } = await read(contentUrl(args))
  // The brand as getBrand answers it.
  const targets = (await read(`/content/brands/${String(project)}`)).publish_targets as Target[]
  const asked = args.targets as string[] | undefined
  return targets.filter(({ target_id: id, enabled }) => asked ? asked.includes(id) : enabled)
    .map(({ name }) => name).join(', ')
}

const rows = async (args: Arguments, read: Read, after: string | null): Promise<PreviewRow[]> => {
  const { published_version: live } = await read(contentUrl(args))
  return [
    { label: 'published version', before: show(live), after },
    { label: 'targets', before: null, after: await targetsOf(args, read) },
    { label: 'when', before: null, after: args.publish_at === undefined ? 'now' : show(args.publish_at) }
  ]
}

export const publishTool: WriteTool = {
  effect: 'write',
  risk: 'high',
  summary: async (args, read) => `Publish "${await titleOf(args, read)}" to ${await targetsOf(args, read)}`,
  async preview (args, read) {
    const { approved_version: approved, head_version: head } = await read(contentUrl(args))
    return rows(args, read, show(args.version ?? approved ?? head))
  }
}

export const unpublishTool: WriteTool = {
  effect: 'write',
  risk: 'high',
  summary: async (args, read) => `Take "${await titleOf(args, read)}" back from where it is live`,
  preview: (args, read) => rows(args, read, null)
}

const moveTool = (verb: string, after: string): WriteTool => ({
  effect: 'write',
  risk: 'medium',
  summary: async (args, read) => `${verb} a publication of "${await titleOf(args, read)}"`,
  async preview (args, read) {
    // The items of listPublications, as any client reads them.
    const items = (await read(`${contentUrl(args)}/publications`)).items as Arguments[]
    const found = items.find(({ id }) => id === args.publication_id)
    return [{ label: String(found?.target_name ?? 'publication'), before: show(found?.state), after }]
  }
})

export const cancelPublicationTool = moveTool('Cancel', 'cancelled')
export const retryPublicationTool = moveTool('Retry', 'queued')
