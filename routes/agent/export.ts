import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { ExportQuery, SessionParams } from '../../schemas/agent/sessions.js'
import { SessionNotFound } from './lib/errors.js'
import { exportJson, exportMarkdown, showSession } from './lib/sessions/show-sessions.js'

const formats = {
  markdown: { write: exportMarkdown, type: 'text/markdown; charset=utf-8', extension: 'md' },
  json: { write: exportJson, type: 'application/json; charset=utf-8', extension: 'json' }
}

/** A text that is sent while it is made. */
const text = { schema: Type.Unsafe<Readable>({ type: 'string' }) }

const sessionExport: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/sessions/:session_id/export', {
    config: { errors: [SessionNotFound] },
    schema: {
      operationId: 'exportChatSession',
      summary: 'Export a chat session',
      description: 'The whole conversation as a file: texts, calls, their arguments and results, oldest first. JSON ' +
        'has `session` and `messages`, as the lists show them.',
      tags: ['agent'],
      params: SessionParams,
      querystring: ExportQuery,
      response: { 200: { description: 'The file', content: { 'text/markdown': text, 'application/json': text } } }
    }
  }, async ({ principal, params, query }, reply) => {
    const { id, title, created_at, model } = await showSession(app, principal, params.session_id)
    const { write, type, extension } = formats[query.format]
    const parts = write(app, principal.workspace_id, { id, title, created_at, model })
    return reply.header('content-type', type)
      .header('content-disposition', `attachment; filename="session-${id}.${extension}"`)
      .send(Readable.from(parts))
  })
}

export default sessionExport
