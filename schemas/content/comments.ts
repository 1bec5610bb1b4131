import { Type, type Static } from '@sinclair/typebox'
import { PersonName } from '../account/users.js'
import { Id, maxInteger, Nullable, page, PageQuery, Timestamp, VersionNumber, Words } from '../common.js'
import { Revision } from '../revisions.js'

const closed = { additionalProperties: false }
const Offset = Type.Integer({ minimum: 0, maximum: maxInteger, description: 'In UTF-16 units' })

export const passageFields = '^(title|summary|body_markdown|fields\\.(subject|preheader|posts\\.\\d{1,2})|' +
  'seo\\.(title|description))$'
const Field = Type.String({
  pattern: passageFields,
  examples: ['title'],
  description: 'As findings name it: title, body_markdown …'
})

const Text = Type.String({ minLength: 1, maxLength: 5_000, pattern: '\\S', description: 'Plain text' })

export const CommentPassage = Type.Object({
  field: Field,
  version: Type.Optional(Type.Integer({
    minimum: 1, maximum: maxInteger, description: 'In which the words stand; default: the newest'
  })),
  exact: Type.String({ minLength: 1, maxLength: 2_000, description: 'The words, as they stand there' }),
  prefix: Type.Optional(Type.String({
    maxLength: 200, description: 'What stands before, where the words occur twice'
  })),
  suffix: Type.Optional(Type.String({ maxLength: 200, description: 'What stands behind' })),
  start: Type.Optional(Offset)
}, { $id: 'CommentPassage', ...closed })
export type CommentPassage = Static<typeof CommentPassage>

export const AddComment = Type.Object({ text: Text, passage: CommentPassage }, { $id: 'AddContentComment', ...closed })
export type AddComment = Static<typeof AddComment>

export const ReplyToComment = Type.Object({ text: Text }, { $id: 'ReplyToContentComment', ...closed })

export const ResolveComment = Type.Object({
  resolved: Type.Boolean({ description: 'true: it is settled; false: it is open again' })
}, { $id: 'ResolveContentComment', ...closed })

export const ContentComment = Type.Object({
  id: Id,
  author: PersonName,
  text: Type.String({ description: 'Empty when it is deleted' }),
  created_at: Timestamp,
  edited_at: Nullable(Timestamp),
  deleted_at: Nullable(Timestamp)
}, { $id: 'ContentComment' })
export type ContentComment = Static<typeof ContentComment>

export const ContentThread = Type.Object({
  id: Id,
  content_id: Id,
  status: Words(['open', 'resolved'] as const),
  version: VersionNumber,
  field: Type.String(),
  quote: Type.Object({
    type: Type.Literal('TextQuoteSelector'), exact: Type.String(), prefix: Type.String(), suffix: Type.String()
  }, { description: 'The words that it was made on, in that version' }),
  position: Type.Object({ type: Type.Literal('TextPositionSelector'), start: Offset, end: Offset }),
  passage: Words(['same', 'changed', 'gone'] as const, {
    description: 'What became of the words in the newest version'
  }),
  anchor: Nullable(Type.Object({
    version: VersionNumber, field: Type.String(), start: Offset, end: Offset, exact: Type.String()
  }, { description: 'Where the passage is in the newest version; null = it is gone' })),
  comments: Type.Array(ContentComment, { description: 'The first is what the thread began with' }),
  resolved_by: Nullable(PersonName),
  resolved_at: Nullable(Timestamp),
  revision: Revision,
  created_at: Timestamp,
  updated_at: Timestamp
}, { $id: 'ContentThread' })
export type ContentThread = Static<typeof ContentThread>
export const ContentThreadPage = page(ContentThread, 'ContentThreadPage')

export const ListThreads = Type.Object({
  ...PageQuery, status: Words(['open', 'resolved', 'all'] as const, { default: 'all' })
})
export const ThreadParams = Type.Object({ content_id: Id, comment_id: Id })
export const CommentParams = Type.Object({
  content_id: Id,
  comment_id: Id,
  reply_id: Type.Unsafe<string>({ ...Id, description: 'Of the comment in its thread' })
})
