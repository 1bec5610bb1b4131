import { Type, type Static } from '@sinclair/typebox'
import { Id, Words } from '../common.js'

/** Bytes of a file; the Messages API takes images up to 5 MiB in base64. */
export const maxAttachmentBytes = 3_750_000
/** Bytes of a request: large enough that a file a little too large gets attachment_too_large. */
export const maxAttachmentBody = 8 * 1_048_576
/** Files of one message. */
export const maxAttachments = 10

export const AddAttachment = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' }),
  data: Type.String({
    minLength: 1,
    contentEncoding: 'base64',
    description: 'base64, up to 3.75 MB: PNG, JPEG, GIF, WebP, PDF, Word (.docx), HTML or text'
  })
}, { $id: 'AddAttachment', additionalProperties: false })
export type AddAttachment = Static<typeof AddAttachment>

export const Attachment = Type.Object({
  id: Id,
  name: Type.String(),
  kind: Words(['image', 'pdf', 'text'], { description: 'As its bytes say; the text of a Word document is taken out' }),
  media_type: Type.String(),
  size: Type.Integer({ description: 'In bytes' }),
  tokens: Type.Integer({ description: 'What it may weigh in a request, estimated' })
}, { $id: 'Attachment' })
export type Attachment = Static<typeof Attachment>

export const AttachmentParams = Type.Object({ attachment_id: Id })

export const AttachmentIds = Type.Array(Id, {
  maxItems: maxAttachments, uniqueItems: true, description: 'Files that were added before, which go with the message'
})
