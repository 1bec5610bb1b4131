import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listContents } from '../../db/content/contents.js'
import type { Db } from '../../db/index.js'
import { visibleProjects } from '../../lib/access/require-access.js'
import { documentHeaders } from '../../lib/security/requests.js'
import { paginateJsonById, sendJson } from '../../lib/http/paginate.js'
import {
  Content, ContentPage, ContentParams, ContentQuery, CreateContent, ListContents, ReplaceContent
} from '../../schemas/content/contents.js'
import { InvalidCursor, NotFound } from '../../schemas/errors.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { createContentTool, replaceContentTool } from './lib/texts/content-tools.js'
import { ContentArchived, LocaleNotEnabled, ProjectArchived, ReadOnlyField, SlugTaken } from './lib/errors.js'
import { readBeside, readContent } from './lib/texts/find-content.js'
import { htmlOf } from './lib/texts/html-of.js'
import { brandOf } from './lib/brands/read-brand.js'
import { readText, textErrors } from './lib/text/read-text.js'
import { createContent, replaceContent } from './lib/texts/write-content.js'
import { contentFields } from './lib/field-words.js'

const texts = {
  200: {
    description: 'The record; with Accept: text/markdown or text/html what readers read alone, ' +
      'which is the posts of social content; in HTML nothing runs',
    content: {
      'application/json': { schema: Content },
      'text/markdown': { schema: { type: 'string' } },
      'text/html': { schema: { type: 'string' } }
    }
  }
}

/** @returns the record as a page; relative links lead to the brand's site, if one is known */
const pageOf = async (db: Db, workspaceId: string, content: Content): Promise<string> => {
  const { settings } = await brandOf(db, workspaceId, content.project_id)
  return htmlOf(content, settings.seo.canonical_base ?? content.seo.canonical)
}

const recordErrors = [ContentArchived, SlugTaken]
const slotErrors = [NotFound, ProjectArchived, LocaleNotEnabled]

const contents: FastifyPluginAsyncTypebox = async (app) => {
  app.get('', {
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: true,
        use: 'Use this to see which articles, posts and other texts there are, or to find the id of one.',
        gives: 'the records, newest first, with title, status, channel and score.',
        keywords: 'content articles posts blog newsletters drafts published texts announcement newsletter ' +
          'website',
        fields: contentFields
      },
      errors: [InvalidCursor]
    },
    schema: {
      operationId: 'listContents',
      summary: 'List content',
      description: 'Records of all projects or of one, newest first, with status and score; without the archived ' +
        'ones unless asked for.',
      tags: ['content'],
      querystring: ListContents,
      response: { 200: ContentPage }
    }
  }, async ({ principal, query }, reply) => {
    const { limit, cursor, ...filter } = query
    return sendJson(reply, await paginateJsonById(app, { principal, list: 'contents', filter, query },
      (slice) => listContents(app.db, principal.workspace_id,
        { ...filter, projects: visibleProjects(principal) }, slice)))
  })

  app.get('/:content_id', {
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: true,
        use: 'Use this to read one article, post or other text, with what the checks say of it.',
        gives: 'its newest version or an earlier one, its status and its report.',
        keywords: 'content article post text blog read score report',
        fields: contentFields
      },
      errors: textErrors
    },
    schema: {
      operationId: 'getContent',
      summary: 'Read one content record',
      description: 'The newest version, or an earlier one, with the brand report of it. The status is computed. The ' +
        'ETag is the revision.',
      tags: ['content'],
      params: ContentParams,
      querystring: ContentQuery,
      response: texts
    }
  }, async ({ principal, params, query, headers }, reply) => {
    const found = await readContent(app.db, principal.workspace_id, params.content_id, query.version)
    reply.header('etag', etag(found.revision)).header('vary', 'accept')
    const accept = headers.accept ?? ''
    if (/\btext\/markdown\b/.test(accept)) {
      const { channel, body_markdown, fields } = found
      const text = await readText('textOf', channel, { body_markdown, fields })
      return reply.type('text/markdown; charset=utf-8').send(text)
    }
    if (!/\btext\/html\b/.test(accept) || /json/.test(accept)) {
      const include = query.include?.split(',') ?? []
      return { ...found, ...await readBeside(app.db, principal.workspace_id, found.id, include) }
    }
    const html = await pageOf(app.db, principal.workspace_id, found)
    return reply.headers(documentHeaders).type('text/html; charset=utf-8').send(html)
  })

  app.post('', {
    config: {
      tool: createContentTool,
      words: {
        foreign: false,
        use: 'Use this to save a text that was written by hand as an article or post. It becomes a draft and is ' +
          'checked.',
        gives: 'the new record with its id and its report.',
        keywords: 'save write new article post text blog content by hand announcement newsletter save text',
        fields: contentFields
      },
      errors: [...slotErrors, SlugTaken, ...textErrors]
    },
    schema: {
      operationId: 'createContent',
      summary: 'Write content by hand',
      description: 'Makes a record with its first version, a draft, and checks it. With a brief, every number, quote ' +
        'and address must come from there.',
      tags: ['content'],
      body: CreateContent,
      response: { 201: Content }
    }
  }, async ({ principal, body }, reply) => {
    const made = await createContent(app.db, principal, body)
    reply.code(201).header('etag', etag(made.revision)).header('location', `/content/${made.id}`)
    return made
  })

  app.put('/:content_id', {
    config: {
      tool: replaceContentTool,
      words: {
        foreign: false,
        use: 'Use this to change the text of an article or post. It makes a new draft version; nothing is ' +
          'published by it.',
        gives: 'the new version with its report.',
        keywords: 'change edit correct rewrite article post text paragraph title heading content',
        fields: contentFields
      },
      errors: [StaleRevision, ReadOnlyField, ...recordErrors, ...textErrors]
    },
    schema: {
      operationId: 'replaceContent',
      summary: 'Write the next version of a content record',
      description: 'Adds a version, a draft; earlier ones never change, and what is published or scheduled stays as ' +
        'it is. The same text adds none. Nothing is published by an edit: the status cannot be written.',
      tags: ['content'],
      params: ContentParams,
      headers: IfMatch,
      body: ReplaceContent,
      response: { 200: Content }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    const revisions = readIfMatch(headers['if-match'])
    const content = await replaceContent(app.db, principal, params.content_id, body, revisions)
    reply.header('etag', etag(content.revision))
    return content
  })
}

export default contents
