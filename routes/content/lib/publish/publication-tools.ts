import { defineWriteTool, type Input, type Read } from '../../../../lib/tools/options.js'
import { Brand } from '../../../../schemas/content/brands.js'
import { Content } from '../../../../schemas/content/contents.js'
import { PublicationParams, type Publication } from '../../../../schemas/content/publications.js'
import { NotFound } from '../../../../schemas/errors.js'
import { contentUrl, holdersOf } from '../tool-targets.js'
import { describeTarget, describeTime, targetFacts, targetHolders } from './describe-target.js'
import { requireMovable } from './follow-up.js'

const schemas = { params: PublicationParams }

interface Found { content: Content, publication: Publication }

const find = async ({ content_id: id, publication_id: publicationId }: Input<typeof schemas>, read: Read):
Promise<Found> => {
  const content = await read(`${contentUrl(id)}?include=publications`, Content)
  const publication = content.publications?.find((one) => one.id === publicationId)
  if (!publication) throw NotFound('It is none of the last publications of the record')
  return { content, publication }
}

const verbs = { publish: 'Publish', update: 'Publish', unpublish: 'Take back' }

/** @returns such as "Publish version 2 of "One tap" to Site" */
const describe = ({ content, publication: { action, version, target_name: name } }: Found): string =>
  `${verbs[action]} version ${version} of "${content.title}" ${action === 'unpublish' ? 'from' : 'to'} ${name}`

const stateOf = ({ state, publish_at: at, timezone, error }: Publication): string => {
  if (state === 'scheduled' && at !== null) return `scheduled for ${describeTime(at, timezone)}`
  return error === null ? state : `${state}: ${error}`
}

const targetOf = ({ content, publication: { id, target_id } }: Found) => ({
  kind: 'publication', id, within: { content: content.id, ...holdersOf(content), publish_target: target_id }
})

export const cancelPublicationTool = defineWriteTool({
  input: schemas,
  reads: ['getContent'],
  basis: 'Its state, which says whether anything was sent; a version and a time of a publication never change',
  async plan (input, read) {
    const found = await find(input, read)
    const { publication } = found
    requireMovable(publication.state, 'cancelled')
    return {
      target: targetOf(found),
      summary: `Cancel: ${describe(found)}`,
      changes: [{
        label: describe(found),
        before: stateOf(publication),
        after: publication.state === 'cancelled' ? stateOf(publication) : 'cancelled'
      }],
      risk: ['stops_unfinished']
    }
  },
  async reconcile (input, read) {
    const { publication: { state } } = await find(input, read)
    return state === 'cancelled' ? 'done' : 'unclear'
  }
})

export const retryPublicationTool = defineWriteTool({
  input: schemas,
  reads: ['getContent', 'getBrand'],
  basis: 'Its state, and where its target sends; the version that is sent never changes',
  async plan (input, read) {
    const found = await find(input, read)
    const { content, publication } = found
    requireMovable(publication.state, 'queued')
    const brand = await read(`/content/brands/${encodeURIComponent(content.project_id)}`, Brand)
    const targets = brand.publish_targets.filter(({ target_id: id }) => id === publication.target_id)
    const [sends] = targets
    if (!sends) throw NotFound('The brand has its target no more')
    const target = targetOf(found)
    return {
      target: { ...target, within: { ...target.within, ...targetHolders(targets) } },
      summary: `Try again: ${describe(found)}`,
      changes: [
        { label: describe(found), before: stateOf(publication), after: 'queued' },
        { label: 'Target', before: null, after: describeTarget(sends), context: true }
      ],
      facts: { targets: targetFacts(targets), version: publication.version, action: publication.action },
      risk: [publication.action === 'unpublish' ? 'unpublishes' : 'publishes', 'sends_twice']
    }
  }
})
