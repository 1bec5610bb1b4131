import { v7 as uuid } from 'uuid'
import type { FastifyInstance } from 'fastify'
import { insertAttachment, sumAttachments, type AttachmentRow } from '../../../../db/agent/attachments.js'
import { decodeBase64 } from '../../../../lib/http/base64.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { maxAttachmentBytes, type AddAttachment } from '../../../../schemas/agent/attachments.js'
import { AttachmentsFull, AttachmentTooLarge, AttachmentUnreadable } from '../errors.js'
import { recognizeAttachment } from './recognize-attachment.js'

type Deps = Pick<FastifyInstance, 'db' | 'extractor'>

/** Bytes that one person may have attached, in all sessions. */
const maxPerPerson = 500_000_000

const pointer = '/data'

const decode = (data: string): Buffer => {
  const bytes = decodeBase64(data)
  if (bytes) return bytes
  throw AttachmentUnreadable(undefined, { errors: [{ pointer, code: 'not_base64', message: 'is not base64' }] })
}

/**
 * Stores a file for a message that comes next.
 * @throws attachment_unreadable, attachment_too_large, attachments_full
 */
export const addAttachment = async (deps: Deps, { workspace_id, user_id }: Principal, { name, data }: AddAttachment):
Promise<AttachmentRow> => {
  const bytes = decode(data)
  if (bytes.length > maxAttachmentBytes) {
    const message = `has ${bytes.length} bytes, and may have ${maxAttachmentBytes}`
    throw AttachmentTooLarge(undefined, { errors: [{ pointer, code: 'attachment_too_large', message }] })
  }
  const recognized = await recognizeAttachment(deps, name, bytes)
  const size = recognized.data.length
  if (await sumAttachments(deps.db, workspace_id, user_id) + size > maxPerPerson) throw AttachmentsFull()
  return insertAttachment(deps.db, { workspace_id, id: uuid(), user_id, name, size, ...recognized })
}
