import { defineWriteTool, type Change, type Input, type Plan, type Read } from '../../../../lib/tools/options.js'
import { ContentParams, type Content } from '../../../../schemas/content/contents.js'
import {
  Publications, PublishContent, UnpublishContent, type PlannedPublication, type PublicationPlan
} from '../../../../schemas/content/publications.js'
import { etag } from '../../../../schemas/revisions.js'
import { textChanges } from '../texts/text-changes.js'
import { contentTarget, contentUrl, readRecord, summarize } from '../tool-targets.js'
import { describeTarget, describeTime, targetFacts, targetHolders } from './describe-target.js'
import { postsOf } from '../targets/outcome.js'

const publishing = { params: ContentParams, body: PublishContent }
const unpublishing = { params: ContentParams, body: UnpublishContent }
type Given = Input<typeof unpublishing>

/** Reads the route's choice of version, targets and time by its dry run. */
const readPlan = async (url: string, body: object, read: Read): Promise<PublicationPlan> => {
  const { plan } = await read(url, Publications, body)
  if (!plan) throw new Error('A dry run answered no plan')
  return plan
}

const namesOf = ({ targets }: PublicationPlan) => targets.map(({ target_name: name }) => name).join(', ')

const when = ({ publish_at: at }: PublicationPlan, { timezone }: Given): Change => at === null
  ? { label: 'When', field: 'publish_at', before: null, after: 'now' }
  : { label: 'When', field: ['publish_at', 'timezone'], before: null, after: describeTime(at, timezone) }

/** The common part of both plans: the exact targets and time, and where the targets send. */
const planOn = (content: Content, input: Given, plan: PublicationPlan): Pick<Plan, 'target' | 'facts' | 'args' |
'ifMatch' | 'effect'> => {
  const { publish_at: at, targets } = plan
  const target = contentTarget(content)
  return {
    target: { ...target, within: { ...target.within, ...targetHolders(targets) } },
    args: {
      ...input,
      content_id: content.id,
      targets: targets.map(({ target_id: id }) => id),
      ...(at !== null && { publish_at: new Date(at).toISOString() })
    },
    facts: { targets: targetFacts(targets) },
    ifMatch: etag(content.revision),
    effect: input.dry_run ? 'read' : 'write'
  }
}

const sent = (one: PlannedPublication): Change => {
  const live = one.live_version === null ? null : `version ${one.live_version}`
  const after = one.action === null ? live : `version ${one.version}, to ${describeTarget(one)}`
  return { label: `Target ${one.target_name}`, field: 'targets', before: live, after }
}

const takenBack = (one: PlannedPublication): Change => {
  const before = `version ${one.live_version}, at ${describeTarget(one)}`
  return { label: `Target ${one.target_name}`, field: 'targets', before, after: one.action === null ? before : null }
}

const notes = ({ targets }: PublicationPlan): Change[] => targets.flatMap(({ warnings }) => warnings)
  .map(({ message }) => ({ label: 'Note', before: null, after: message, binding: false, context: true }))

const postChanges = (before: Content | null, after: Content): Change[] => {
  const [was, posts] = [before ? postsOf(before) : [], postsOf(after)]
  return was.length + posts.length === 0 ? [] : [{ label: 'Posts, the text that goes out', before: was, after: posts }]
}

/** Posts have a row of their own. */
const withoutPosts = (content: Content): Content => {
  if (postsOf(content).length === 0) return content
  const { posts, ...fields } = content.fields
  return { ...content, fields }
}

/** @returns the changes of the text that readers get */
const readerChanges = async (content: Content, version: number, read: Read): Promise<Change[]> => {
  const { id, published_version: live } = content
  const before = live === null ? null : await readRecord(id, read, live)
  const after = await readRecord(id, read, version)
  return [
    { label: 'Version', field: 'version', before: live, after: version },
    ...postChanges(before, after),
    ...textChanges(before && withoutPosts(before), withoutPosts(after))
  ]
}

const times = ['publish_at', 'timezone', 'disambiguation', 'misfire']

export const publishTool = defineWriteTool({
  input: publishing,
  editable: ['version', 'targets', ...times, 'republish', 'overwrite'],
  reads: ['getContent', 'publishContent'],
  basis: 'The version, which never changes, what is live, and where each target sends; what is edited since does not ' +
    'matter, nor do other targets',
  async plan ({ content_id: id, ...input }, read) {
    const content = await readRecord(id, read)
    const plan = await readPlan(`${contentUrl(id)}/publish`, input, read)
    // One version goes to all of them, and there is one at least.
    const version = plan.targets[0]?.version ?? content.head_version
    const on = planOn(content, { content_id: id, ...input }, plan)
    const isSent = plan.targets.some(({ action }) => action !== null)
    const texts = await readerChanges(content, version, read)
    return {
      ...on,
      summary: summarize(input.dry_run, `Publish version ${version} of "${content.title}" to ${namesOf(plan)}`),
      changes: [
        ...plan.targets.map(sent),
        ...(isSent ? [when(plan, { content_id: id, ...input })] : []),
        ...(isSent ? texts : texts.map((change): Change => ({ ...change, context: true }))),
        ...notes(plan)
      ],
      covered: ['dry_run'],
      args: { ...on.args, version },
      risk: ['publishes']
    }
  }
})

export const unpublishTool = defineWriteTool({
  input: unpublishing,
  editable: ['targets', ...times],
  reads: ['getContent', 'unpublishContent'],
  basis: 'What is live at which target, and where those send; what is live elsewhere does not matter',
  async plan ({ content_id: id, ...input }, read) {
    const content = await readRecord(id, read)
    const plan = await readPlan(`${contentUrl(id)}/unpublish`, input, read)
    return {
      ...planOn(content, { content_id: id, ...input }, plan),
      summary: summarize(input.dry_run, `Take "${content.title}" back from ${namesOf(plan)}`),
      changes: [
        ...plan.targets.map(takenBack),
        { ...when(plan, { content_id: id, ...input }), context: true }
      ],
      covered: ['dry_run'],
      risk: ['unpublishes']
    }
  }
})
