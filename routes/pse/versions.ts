import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { paginate } from '../../lib/http/paginate.js'
import { listVersions } from '../../db/pse/versions.js'
import { InvalidCursor, Overloaded } from '../../schemas/errors.js'
import { DiffSpecQuery, SpecDiff, SpecDocument } from 'steward-spec-engine/schemas'
import { SpecSessionParams } from '../../schemas/pse/sessions.js'
import {
  ExportedFiles, ExportQuery, ListSpecVersions, SpecVersion, SpecVersionPage, SpecVersionParams
} from '../../schemas/pse/versions.js'
import { readSession, describeVersion, describeVersionSummary, readVersion } from './lib/sessions/read-version.js'
import { NoVersion } from './lib/errors.js'
import { zipFiles } from './lib/export/files.js'
import { exportVersion } from './lib/sessions/export-version.js'
import { slugOf } from 'steward-spec-engine/export'
import { specFields } from './lib/field-words.js'

const file = {
  200: {
    description: 'The file',
    content: {
      'text/markdown': { schema: Type.String() },
      'application/json': { schema: SpecDocument },
      'application/sarif+json': { schema: Type.Object({}, { additionalProperties: true }) },
      'application/zip': { schema: Type.String({ format: 'binary' }) }
    }
  }
}

const exportedSchema = {
  operationId: 'exportSpec',
  summary: 'Export a spec',
  description: 'A version as a file: Markdown, its document as JSON, or the folder that spec-kit, Kiro or OpenSpec ' +
    'keeps, zipped, with the standards that hold for it; or what its checks found, as SARIF 2.1.0, whose lines are ' +
    'those of the Markdown. The same version gives the same bytes. OpenSpec\'s lists what was added, modified, ' +
    'removed and renamed since the version that was approved or imported last before.',
  tags: ['pse'],
  params: SpecSessionParams,
  querystring: ExportQuery,
  response: file
}

const types = {
  markdown: 'text/markdown; charset=utf-8', json: 'application/json', sarif: 'application/sarif+json'
}

const versions: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/sessions/:session_id/versions', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to see which versions a spec has.',
        gives: 'the versions, newest first, without their texts.',
        keywords: 'versions history revisions of spec specification',
        fields: specFields
      },
      errors: [InvalidCursor]
    },
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
    const page = await paginate(app, { principal, list: 'pse-versions', filter: id, query },
      (key, limit) => listVersions(app.db, principal.workspace_id, id, key && Number(key[0]), limit),
      ({ version }) => [version])
    return { ...page, items: page.items.map(describeVersionSummary) }
  })

  app.get('/sessions/:session_id/versions/:version', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to read one version of a spec: its requirements and what the checks found.',
        gives: 'the document and the findings of the checks.',
        keywords: 'read version spec specification requirements document checks findings',
        fields: specFields
      }
    },
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

  app.get('/sessions/:session_id/diff', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to see what changed between two versions of a spec.',
        gives: 'the requirements that were added, removed or changed, each field before and after.',
        keywords: 'compare difference diff changed between versions spec specification requirements',
        fields: specFields
      },
      errors: [NoVersion, Overloaded]
    },
    schema: {
      operationId: 'diffSpecVersions',
      summary: 'Compare two versions of a spec',
      description: 'What was added, removed or changed: requirement by requirement with each field before and after, ' +
        'or the Markdown line by line, as a patch too, or word by word. By default the current version and the one ' +
        'before.',
      tags: ['pse'],
      params: SpecSessionParams,
      querystring: DiffSpecQuery,
      response: { 200: SpecDiff }
    }
  }, async ({ principal, params, query }) => {
    const { diffVersions } = await import('./lib/diff/diff-versions.js')
    return diffVersions(app.db, principal.workspace_id, params.session_id, query)
  })

  app.get('/sessions/:session_id/export', {
    config: { errors: [NoVersion, Overloaded] },
    schema: exportedSchema
  }, async ({ principal, params, query }, reply) => {
    const { workspace_id } = principal
    const { layout } = query
    const { row, files } = await exportVersion(app.db, { workspace_id, ...params }, query)
    const [first] = files
    const isFile = layout === 'markdown' || layout === 'json' || layout === 'sarif'
    const name = isFile ? first?.path : `${slugOf(row.document.title)}-${layout}.zip`
    reply.serializer((payload: string) => payload).header('content-disposition', `attachment; filename="${name}"`)
    reply.type(isFile ? types[layout] : 'application/zip')
    // The schema describes the parsed file; the reply sends its bytes.
    return reply.send((isFile ? first?.content : Buffer.from(zipFiles(files))) as string)
  })

  app.get('/sessions/:session_id/files', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to read a spec as the files of an export, such as a pull request takes them.',
        gives: 'the files with their texts.',
        keywords: 'export files markdown spec specification download',
        fields: specFields
      },
      errors: [NoVersion, Overloaded]
    },
    schema: {
      operationId: 'listSpecFiles',
      summary: 'Read a spec as files',
      description: 'The files of an export with their texts, such as a pull request takes them.',
      tags: ['pse'],
      params: SpecSessionParams,
      querystring: ExportQuery,
      response: { 200: ExportedFiles }
    }
  }, async ({ principal, params, query }) => {
    const { workspace_id } = principal
    const { row, files } = await exportVersion(app.db, { workspace_id, ...params }, query)
    return { version: row.version, files }
  })
}

export default versions
