import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { findAttachment } from '../../db/agent/attachments.js'
import {
  AddAttachment, Attachment, AttachmentParams, maxAttachmentBody
} from '../../schemas/agent/attachments.js'
import { addAttachment } from './lib/sessions/attachments.js'
import { AttachmentNotFound, AttachmentsFull, AttachmentTooLarge, AttachmentUnreadable } from './lib/errors.js'
import { ownWrites } from './lib/access.js'

const tags = ['agent']

const attachments: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/attachments', {
    bodyLimit: maxAttachmentBody,
    config: { access: ownWrites, errors: [AttachmentUnreadable, AttachmentTooLarge, AttachmentsFull], assistant: true },
    schema: {
      operationId: 'addAttachment',
      summary: 'Add a file for a message',
      description: 'Its content decides what it is, not its name: an image, a PDF of up to 20 pages, or text. Name ' +
        'its id in `attachment_ids` of a message; one that is never sent is deleted after a week.',
      tags,
      body: AddAttachment,
      response: { 201: Attachment }
    }
  }, async ({ principal, body }, reply) => reply.code(201).send(await addAttachment(app, principal, body)))

  app.get('/attachments/:attachment_id', {
    config: { errors: [AttachmentNotFound] },
    schema: {
      operationId: 'getAttachment',
      summary: 'The bytes of a file that I attached',
      description: 'Of a Word document its text. It goes with the session in which it was first sent.',
      tags,
      params: AttachmentParams,
      response: {
        200: {
          description: 'The file',
          content: { 'application/octet-stream': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } }
        }
      }
    }
  }, async ({ principal, params }, reply) => {
    const { workspace_id, user_id } = principal
    const found = await findAttachment(app.db, workspace_id, user_id, params.attachment_id)
    if (!found) throw AttachmentNotFound()
    const name = encodeURIComponent(found.name.toWellFormed())
    // Never shown by a browser: what people attach runs nothing here.
    return reply.headers({
      'content-type': 'application/octet-stream', 'content-disposition': `attachment; filename*=UTF-8''${name}`
    }).send(Buffer.from(found.data))
  })
}

export default attachments
