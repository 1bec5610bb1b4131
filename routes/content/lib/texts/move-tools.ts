import { defineWriteTool, type Change, type Input, type Plan, type Read } from '../../../../lib/tools/options.js'
import {
  Content, ContentParams, TransitionContent, UndeleteContent, type ReviewState
} from '../../../../schemas/content/contents.js'
import { etag } from '../../../../schemas/revisions.js'
import { ContentArchived, ReviewState as WrongState } from '../errors.js'
import { requireNotLive, requireReviewMove } from './move-content.js'
import { textChanges } from './text-changes.js'
import { contentTarget, contentUrl, readRecord, summarize } from '../tool-targets.js'

const schemas = { params: ContentParams, body: TransitionContent }
type Given = Input<typeof schemas>

/** Approving a version lets its text replace the one that was approved before. */
const approvalChanges = async (content: Content, read: Read): Promise<Change[]> => {
  const { approved_version: approved, head_version: head, score } = content
  const before = approved === null ? null : await readRecord(content.id, read, approved)
  return [
    { label: 'Approved version', before: approved, after: head },
    ...textChanges(before, content),
    { label: 'Score', before: null, after: score, binding: false, context: true }
  ]
}

const reviewChanges = async (input: Given, content: Content, to: ReviewState, read: Read): Promise<Change[]> => {
  const { review_state: state, head_version: head } = content
  if (state === to) return [{ label: 'Review', field: ['to', 'version', 'comment'], before: state, after: to }]
  return [
    { label: 'Version', field: 'version', before: null, after: head },
    { label: 'Review', field: 'to', before: state, after: to },
    { label: 'Comment', field: 'comment', before: null, after: input.comment },
    ...to === 'approved' ? await approvalChanges(content, read) : []
  ]
}

/** The plan pins the version: after a newer one, the person is asked again. */
const planReview = async (input: Given, content: Content, to: ReviewState, read: Read): Promise<Plan> => {
  const { title, review_state: state, head_version: version } = content
  if (content.status === 'archived') throw ContentArchived()
  requireReviewMove(state, to)
  return {
    target: contentTarget(content),
    summary: `Move version ${version} of "${title}" from ${state} to ${to}`,
    changes: await reviewChanges(input, content, to, read),
    args: { ...input, version },
    facts: { version },
    ifMatch: etag(content.revision),
    risk: [to === 'approved' ? 'allows_publishing' : 'own_records']
  }
}

const planWithdrawal = (input: Given, content: Content): Plan => {
  const { title, approved_version: version } = content
  if (version === null) throw WrongState('No version is approved')
  return {
    target: contentTarget(content),
    summary: `Withdraw the approval of version ${version} of "${title}"`,
    changes: [
      { label: 'Approved version', field: ['to', 'version'], before: version, after: null },
      { label: 'Comment', field: 'comment', before: null, after: input.comment }
    ],
    args: { ...input, version },
    facts: { version },
    ifMatch: etag(content.revision),
    risk: ['own_records']
  }
}

const planArchive = (content: Content, to: 'archived' | 'restore'): Plan => {
  const isArchived = content.status === 'archived'
  if (to === 'archived' && !isArchived) requireNotLive(content)
  const after = to === 'archived' ? 'archived' : isArchived ? content.review_state : content.status
  return {
    target: contentTarget(content),
    summary: `${to === 'archived' ? 'Archive' : 'Restore'} "${content.title}"`,
    changes: [{ label: 'Status', field: 'to', before: content.status, after }],
    facts: { title: content.title },
    ifMatch: etag(content.revision),
    risk: [to === 'archived' ? 'archives' : 'own_records']
  }
}

export const transitionContentTool = defineWriteTool({
  input: schemas,
  reads: ['getContent'],
  basis: 'Of a review: the newest version, what its review says, and what was approved before. Of the archive: the ' +
    'status and the title; what is live or scheduled is not archived',
  async plan (input, read) {
    const content = await readRecord(input.content_id, read)
    const { to } = input
    if (to === 'withdrawn') return planWithdrawal(input, content)
    return to === 'archived' || to === 'restore' ? planArchive(content, to) : planReview(input, content, to, read)
  }
})

const describe = ({ title, status, head_version: head }: Content) => `"${title}", version ${head}, ${status}`

export const deleteContentTool = defineWriteTool({
  input: { params: ContentParams },
  reads: ['getContent'],
  basis: 'Its title, status and newest version, which go with it; what is live or scheduled is not deleted',
  async plan ({ content_id: id }, read) {
    const content = await readRecord(id, read)
    requireNotLive(content)
    return {
      target: contentTarget(content),
      summary: `Delete "${content.title}"; for 30 days it can be brought back`,
      changes: [{ label: 'Record', before: describe(content), after: null }],
      ifMatch: etag(content.revision),
      risk: ['deletes']
    }
  }
})

export const undeleteContentTool = defineWriteTool({
  input: { params: ContentParams, body: UndeleteContent },
  editable: [],
  reads: ['undeleteContent'],
  basis: 'What would come back: its title, status and newest version; its address must be free',
  async plan (input, read) {
    const content = await read(`${contentUrl(input.content_id)}/undelete`, Content, {})
    return {
      target: contentTarget(content),
      summary: summarize(input.dry_run, `Bring back the deleted record "${content.title}"`),
      changes: [{ label: 'Record', before: null, after: describe(content) }],
      covered: ['dry_run'],
      effect: input.dry_run ? 'read' : 'write',
      risk: ['own_records']
    }
  }
})
