import type { Arguments } from '../../../plugins/tool-options.js'
import { changedRows, show, type WriteTool } from './show.js'

const url = (args: Arguments) => `/content/brands/${encodeURIComponent(String(args.project_id))}`

const nameOf = async (args: Arguments, read: (url: string) => Promise<Arguments>) =>
  String((await read(`/account/projects/${encodeURIComponent(String(args.project_id))}`)).name)

/** A secret is never shown, not even to the person who sends it. */
const withoutSecrets = (targets: unknown): unknown => Array.isArray(targets)
  // The route has checked the arguments against its schema before this runs.
  ? (targets as Arguments[]).map(({ secret, ...rest }) => ({ ...rest, ...(secret ? { secret: 'replaced' } : {}) }))
  : targets

export const replaceBrandTool: WriteTool = {
  effect: 'write',
  risk: 'medium',
  summary: async (args, read) => `Replace the brand settings of project ${await nameOf(args, read)}`,
  async preview (args, read) {
    const before = await read(url(args))
    const { publish_targets: targets, ...rest } = args
    return [
      ...changedRows(rest, before, ['project_id']),
      ...(targets === undefined
        ? []
        : [{ label: 'publish_targets', before: show(before.publish_targets), after: show(withoutSecrets(targets)) }])
    ]
  }
}
