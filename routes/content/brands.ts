import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Brand, BrandParams, BrandQuery, PutHeaders, ReplaceBrand } from '../../schemas/content/brands.js'
import { readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { replaceBrandTool } from './lib/brands/brand-tools.js'
import { ProjectArchived, ReadOnlyField, TargetInUse, TargetNotAllowed } from './lib/errors.js'
import { readBrand } from './lib/brands/read-brand.js'
import { replaceBrand } from './lib/brands/replace-brand.js'
import { contentFields } from './lib/field-words.js'

const brands: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/brands/:project_id', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see how a project speaks: voice, tone, audiences, terms, style, claims, channels and ' +
          'publish targets.',
        gives: 'the brand, or the defaults where none is set; never a secret.',
        keywords: 'brand voice tone style guide wording terms audience spelling writing style rules formality ' +
          'wording',
        fields: contentFields
      }
    },
    schema: {
      operationId: 'getBrand',
      summary: 'Read the brand of a project',
      description: 'Voice, tone, audiences, terms, style, claims, channels, SEO, locales and where content is ' +
        'published. Where it is not set, the defaults with `configured: false` and ETag "r0". Secrets of targets ' +
        'are never returned.',
      tags: ['content'],
      params: BrandParams,
      querystring: BrandQuery,
      response: { 200: Brand }
    }
  }, async ({ principal, params, query }, reply) => {
    const brand = await readBrand(app.db, principal.workspace_id, params.project_id, query.version)
    reply.header('etag', `"r${brand.revision}"`)
    return brand
  })

  app.put('/brands/:project_id', {
    config: {
      access: { scope: 'content:write', role: 'admin' },
      tool: replaceBrandTool,
      words: {
        foreign: false,
        use: 'Use this to change the brand of a project. Read it first and send it whole: what is left out gets ' +
          'its default.',
        gives: 'the next version of the brand.',
        keywords: 'change edit set brand voice tone style words avoid terms banned audience channels publish ' +
          'spelling british american writing style rules formality targets',
        fields: contentFields
      },
      errors: [StaleRevision, ReadOnlyField, ProjectArchived, TargetNotAllowed, TargetInUse]
    },
    schema: {
      operationId: 'replaceBrand',
      summary: 'Replace the brand of a project',
      description: 'Writes the next version of the brand; what is left out gets its default. Earlier versions stay ' +
        'readable. With If-Match only if that revision is current; with If-None-Match: * only if none was set. One ' +
        'that changes nothing makes no version. A target without `secret` keeps the one it has, unless its url or ' +
        'username changes: then it must be sent again.',
      tags: ['content'],
      params: BrandParams,
      headers: PutHeaders,
      body: ReplaceBrand,
      response: { 200: Brand, 201: Brand }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    const condition = { revisions: readIfMatch(headers['if-match']), onlyNew: headers['if-none-match']?.trim() === '*' }
    const { brand, created } = await replaceBrand(app, principal, params.project_id, body, condition)
    reply.code(created ? 201 : 200).header('etag', `"r${brand.revision}"`)
    return brand
  })
}

export default brands
