import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { listVersions } from '../../db/pse/versions.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { SpecDocument } from '../../schemas/pse/document.js'
import { SpecSessionParams } from '../../schemas/pse/sessions.js'
import {
  ExportQuery, ListSpecVersions, SpecVersion, SpecVersionPage, SpecVersionParams
} from '../../schemas/pse/versions.js'
import { readSession } from './lib/change-session.js'
import { NoVersion } from './lib/errors.js'
import { renderMarkdown } from './lib/export/markdown.js'
import { slugOf } from './lib/export/text.js'
import { paginate } from './lib/paginate.js'
import { describeVersion, describeVersionSummary, readVersion } from './lib/read-version.js'

const reads: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/sessions/:session_id/versions', {
    config: { tool: 'read', errors: [InvalidCursor] },
    schema: {
      operationId: 'listSpecVersions',
      summary: 'List the versions of a spec',
      description: 'Newest first, without their documents. A version never changes.',
      tags: ['pse'],
      params: SpecSessionParams,
      querystring: ListSpecVersions,
      response: { 200: SpecVersionPage }
    }
  }, async ({ principal, params, query }) => {
    const { id } = await readSession(app.db, principal.workspace_id, params.session_id)
    return paginate(app, { principal, list: 'pse-versions', filter: id, page: query },
      (key, limit) => listVersions(app.db, principal.workspace_id, id, key === undefined ? key : Number(key), limit),
      describeVersionSummary, ({ version }) => version)
  })

  app.get('/sessions/:session_id/versions/:version', {
    config: { tool: 'read' },
    schema: {
      operationId: 'getSpecVersion',
      summary: 'Read one version of a spec',
      description: 'The document, which is the truth, and what the checks say of it.',
      tags: ['pse'],
      params: SpecVersionParams,
      response: { 200: SpecVersion }
    }
  }, async ({ principal, params }) =>
    describeVersion(await readVersion(app.db, principal.workspace_id, params.session_id, params.version)))
}

const files = {
  200: {
    description: 'The file',
    content: {
      'text/markdown': { schema: Type.String() },
      'application/json': { schema: SpecDocument }
    }
  }
}

const exports: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/sessions/:session_id/export', {
    config: { errors: [NoVersion] },
    schema: {
      operationId: 'exportSpec',
      summary: 'Export a spec',
      description: 'A version as a file: Markdown, or its document as JSON.',
      tags: ['pse'],
      params: SpecSessionParams,
      querystring: ExportQuery,
      response: files
    }
  }, async ({ principal, params, query: { layout, version } }, reply) => {
    const { document } = await readVersion(app.db, principal.workspace_id, params.session_id, version)
    const name = slugOf(document.title)
    reply.serializer((payload: string) => payload)
    if (layout === 'json') {
      reply.type('application/json').header('content-disposition', `attachment; filename="${name}.json"`)
      return JSON.stringify(document)
    }
    reply.type('text/markdown; charset=utf-8').header('content-disposition', `attachment; filename="${name}.md"`)
    return renderMarkdown(document)
  })
}

const versions: FastifyPluginAsyncTypebox = async (app) => {
  for (const part of [reads, exports]) await app.register(part)
}

export default versions
