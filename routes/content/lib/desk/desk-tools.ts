import { defineWriteTool, type Read } from '../../../../lib/tools/options.js'
import {
  AddComment, ContentThread, ReplyToComment, ResolveComment, ThreadParams, type CommentPassage
} from '../../../../schemas/content/comments.js'
import { ContentParams, type Content } from '../../../../schemas/content/contents.js'
import { AssignReviewer, ContentReviewer } from '../../../../schemas/content/reviewers.js'
import { etag } from '../../../../schemas/revisions.js'
import { ContentArchived } from '../errors.js'
import { contentTarget, contentUrl, readRecord } from '../tool-targets.js'
import { requirePassage, ReviewerNotAllowed } from './comment.js'

const shortened = 80

/** @returns the words of a passage, as a summary shows them */
const quoted = (text: string): string => `"${text.length > shortened ? `${text.slice(0, shortened)}…` : text}"`

/** @throws content_archived, before a person is asked to approve */
const readOpen = async (id: string, read: Read): Promise<Content> => {
  const content = await readRecord(id, read)
  if (content.status === 'archived') throw ContentArchived()
  return content
}

const readThread = (id: string, threadId: string, read: Read) =>
  read(`${contentUrl(id)}/comments/${encodeURIComponent(threadId)}`, ContentThread)

const pinned = (passage: CommentPassage, head: number): Required<Pick<CommentPassage, 'version'>> & CommentPassage =>
  ({ ...passage, version: passage.version ?? head })

export const addCommentTool = defineWriteTool({
  input: { params: ContentParams, body: AddComment },
  reads: ['getContent'],
  basis: 'The words in that version, which never changes; a comment changes no text',
  async plan (input, read) {
    const { content_id: id, text } = input
    const content = await readOpen(id, read)
    const passage = pinned(input.passage, content.head_version)
    requirePassage(await readRecord(id, read, passage.version), passage)
    return {
      target: contentTarget(content),
      summary: `Comment on ${quoted(passage.exact)} in "${content.title}"`,
      changes: [
        { label: 'Passage', field: 'passage', before: null, after: passage },
        { label: 'Comment', field: 'text', before: null, after: text }
      ],
      args: { ...input, passage },
      risk: ['only_adds']
    }
  }
})

export const replyTool = defineWriteTool({
  input: { params: ThreadParams, body: ReplyToComment },
  reads: ['getContent', 'getContentComment'],
  basis: 'That there is the thread; what others add to it does not matter',
  async plan (input, read) {
    const content = await readOpen(input.content_id, read)
    const { quote } = await readThread(content.id, input.comment_id, read)
    return {
      target: contentTarget(content),
      summary: `Reply to the comment on ${quoted(quote.exact)} in "${content.title}"`,
      changes: [{ label: 'Reply', field: 'text', before: null, after: input.text }],
      risk: ['only_adds']
    }
  }
})

export const resolveTool = defineWriteTool({
  input: { params: ThreadParams, body: ResolveComment },
  reads: ['getContent', 'getContentComment'],
  basis: 'Its state, and what was said in it',
  async plan ({ content_id: id, comment_id: threadId, resolved }, read) {
    const content = await readOpen(id, read)
    const { status, quote, revision, comments } = await readThread(id, threadId, read)
    return {
      target: contentTarget(content),
      summary: `${resolved ? 'Resolve' : 'Open again'} the comment on ${quoted(quote.exact)} in "${content.title}"`,
      changes: [{ label: 'Comment', field: 'resolved', before: status, after: resolved ? 'resolved' : 'open' }],
      facts: { comments: comments.map(({ author, text }) => ({ author: author.name, text })) },
      ifMatch: etag(revision),
      risk: ['own_records']
    }
  },
  reconcile: async ({ content_id: id, comment_id: threadId, resolved }, read) =>
    (await readThread(id, threadId, read)).status === (resolved ? 'resolved' : 'open') ? 'done' : 'not_done'
})

const readReviewer = (id: string, read: Read) => read(`${contentUrl(id)}/reviewer`, ContentReviewer)

export const assignReviewerTool = defineWriteTool({
  input: { params: ContentParams, body: AssignReviewer },
  reads: ['getContent', 'getContentReviewer'],
  basis: 'Who reviews it now, and that the person may approve it',
  async plan ({ content_id: id, user_id: userId }, read) {
    const content = await readOpen(id, read)
    const { reviewer, candidates } = await readReviewer(id, read)
    const person = [...candidates, ...(reviewer ? [reviewer] : [])].find((one) => one.id === userId)
    if (userId !== null && !person) throw ReviewerNotAllowed('They are none of those who may approve it')
    return {
      target: contentTarget(content),
      summary: person
        ? `Ask ${person.name} to review "${content.title}"`
        : `Let nobody in particular review "${content.title}"`,
      changes: [{ label: 'Reviewer', field: 'user_id', before: reviewer?.name ?? null, after: person?.name ?? null }],
      ifMatch: etag(content.revision),
      risk: ['own_records']
    }
  },
  reconcile: async ({ content_id: id, user_id: userId }, read) =>
    ((await readReviewer(id, read)).reviewer?.id ?? null) === userId ? 'done' : 'not_done'
})
