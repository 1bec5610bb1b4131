import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { paginate } from '../../lib/http/paginate.js'
import { listVersions } from '../../db/content/versions.js'
import {
  CheckedText, CheckText, Content, ContentDiff, ContentParams, ContentVersionPage, DiffQuery, ListVersions,
  VersionParams
} from '../../schemas/content/contents.js'
import { InvalidCursor, NotFound } from '../../schemas/errors.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { checkContent, citationsOf, diffContent, requireContent, freeSlug } from './lib/texts/find-content.js'
import { restoreVersionTool } from './lib/texts/content-tools.js'
import { ContentArchived, LocaleNotEnabled, ProjectArchived, SlugTaken } from './lib/errors.js'
import { textErrors } from './lib/text/read-text.js'
import { bodyOf, resolveSlot, restoreVersion } from './lib/texts/write-content.js'
import { contentFields } from './lib/field-words.js'

const versions: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/:content_id/versions', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to see who changed an article or post, when, and what its reviews said.',
        gives: 'the versions, newest first.',
        keywords: 'versions history edited who article post content',
        fields: contentFields
      },
      errors: [InvalidCursor]
    },
    schema: {
      operationId: 'listContentVersions',
      summary: 'List the versions of a content record',
      description: 'Newest first: who wrote it, how it came about, what its review said. One is read with ?version= ' +
        'of the record.',
      tags: ['content'],
      params: ContentParams,
      querystring: ListVersions,
      response: { 200: ContentVersionPage }
    }
  }, async ({ principal, params: { content_id: id }, query }) => {
    await requireContent(app.db, principal.workspace_id, id)
    return paginate(app, { principal, list: 'content versions', filter: id, query },
      (key, limit) => listVersions(app.db, principal.workspace_id, id, key && Number(key[0]), limit),
      ({ version }) => [version])
  })

  app.get('/:content_id/diff', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to see what changed between two versions of an article or post.',
        gives: 'the fields before and after, and the text line by line or word by word.',
        keywords: 'compare difference diff changed between versions article post content',
        fields: contentFields
      },
      errors: textErrors
    },
    schema: {
      operationId: 'diffContent',
      summary: 'Compare two versions of a content record',
      description: 'What differs: fields with before and after, the body line by line or word by word.',
      tags: ['content'],
      params: ContentParams,
      querystring: DiffQuery,
      response: { 200: ContentDiff }
    }
  }, ({ principal, params, query }) =>
    diffContent(app.db, principal.workspace_id, params.content_id, query))

  app.post('/:content_id/versions/:version/restore', {
    config: {
      tool: restoreVersionTool,
      words: {
        foreign: false,
        use: 'Use this to make an earlier version of an article or post the newest one again, as a draft.',
        gives: 'the new version.',
        keywords: 'restore go back earlier previous version article post content revert undo change',
        fields: contentFields
      },
      errors: [StaleRevision, ContentArchived, SlugTaken, ...textErrors]
    },
    schema: {
      operationId: 'restoreContentVersion',
      summary: 'Restore a version of a content record',
      description: 'Makes an earlier version the newest one: a draft, whatever it was before. Nothing is published.',
      tags: ['content'],
      params: VersionParams,
      headers: IfMatch,
      response: { 200: Content }
    }
  }, async ({ principal, params, headers }, reply) => {
    const revisions = readIfMatch(headers['if-match'])
    const content = await restoreVersion(app.db, principal, params.content_id, params.version, revisions)
    reply.header('etag', etag(content.revision))
    return content
  })

  app.post('/checks', {
    config: {
      audit: false,
      assistant: true,
      ungated: 'it stores nothing',
      errors: [NotFound, ProjectArchived, LocaleNotEnabled, ...textErrors]
    },
    schema: {
      operationId: 'checkText',
      summary: 'Check a text by the brand',
      description: 'The report that a record with this text would have, its address and its language; stores nothing.',
      tags: ['content'],
      body: CheckText,
      response: { 200: CheckedText }
    }
  }, async ({ principal, body }) => {
    const { workspace_id: workspaceId } = principal
    const { content_id: id } = body
    const slot = { ...await resolveSlot(app.db, workspaceId, body), ...(id !== undefined && { id }) }
    const slug = body.slug ?? await freeSlug(app.db, workspaceId, slot, body.title)
    const { checks } = await checkContent(app.db, workspaceId, slot, bodyOf(body, slug, await citationsOf(app.db, workspaceId, id)))
    return { ...checks, slug, locale: slot.locale }
  })
}

export default versions
