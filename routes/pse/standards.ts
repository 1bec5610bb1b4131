import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { paginateById } from '../../lib/http/paginate.js'
import type { Principal } from '../../lib/security/principal.js'
import { InvalidCursor, NotFound } from '../../schemas/errors.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import {
  CreateStandard, ListStandards, PutStandard, PutStandardHeaders, Standard, StandardAddress, StandardPage,
  StandardParams, StandardVersionQuery
} from '../../schemas/pse/standards.js'
import {
  archiveStandard, createNamedStandard, createStandard, readStandard, replaceStandard
} from './lib/standards/change-standard.js'
import {
  describeListed, findAny, listAny, BuiltinStandard, KeyTaken, ReadOnlyField, RuleInvalid, StandardArchived,
  StandardIdConflict, StandardIdRequired
} from './lib/standards/resolve-standards.js'
import { fieldsOf } from '../../schemas/unknown.js'
import { createStandardTool, deleteStandardTool, replaceStandardTool } from './lib/standards/standard-tools.js'
import { specFields } from './lib/field-words.js'

interface Address { standard_id?: string | undefined, key?: string | undefined }

/**
 * PUT and DELETE without an id in the path name the standard in the query or in the body.
 * @returns the id or key of the standard
 * @throws standard_id_required, standard_id_conflict
 */
const addressOf = (query: Address, body: Pick<Partial<PutStandard>, 'standard_id' | 'key'> = {}): string => {
  const name = query.standard_id ?? query.key ?? body.standard_id ?? body.key
  if (name === undefined) throw StandardIdRequired('Send standard_id or key, or use /pse/standards/{standard}')
  if (query.standard_id !== undefined && query.key !== undefined) throw StandardIdConflict()
  if (query.standard_id !== undefined && body.standard_id !== undefined && body.standard_id !== query.standard_id) {
    throw StandardIdConflict()
  }
  return name
}

/** The request was checked by the route's schema. */
const addressIn = (query: unknown, body?: unknown): string =>
  addressOf(fieldsOf(query) as Address, fieldsOf(body) as Partial<PutStandard>)

const gatedAs = (tool: string, standard: string, more: Record<string, unknown> = {}) =>
  ({ tool, args: { ...more, standard } })

const pathOf = ({ standard_id: id }: Standard) => `/pse/standards/${id}`
const refuses = { insufficient_role: 'a standard of the whole workspace is an admin\'s to write' }
const Gone = Type.Null({ description: 'It is archived' })

const putErrors = [StaleRevision, BuiltinStandard, ReadOnlyField, RuleInvalid, StandardArchived, StandardIdConflict,
  KeyTaken]
const unchanged = 'The same content again changes nothing. With If-Match only if that revision is current; with ' +
  'If-None-Match: * it makes the standard of that key, only if there is none.'

interface Put { name: string, headers: Static<typeof PutStandardHeaders>, body: PutStandard }

const put = async (app: Pick<FastifyInstance, 'db'>, principal: Principal, { name, headers, body }: Put,
  reply: FastifyReply): Promise<Standard> => {
  const isNew = headers['if-none-match']?.trim() === '*'
  const standard = isNew
    ? await createNamedStandard(app.db, principal, name, body)
    : await replaceStandard(app.db, principal, name, body, readIfMatch(headers['if-match']))
  reply.code(isNew ? 201 : 200).headers({ etag: etag(standard.revision), 'content-location': pathOf(standard) })
  return standard
}

/** Standards: versioned sets of rules that specs are checked against. */
const standards: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/standards', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see which standards specs are checked by, or to find the id of one.',
        gives: 'the standards of the workspace, newest first, then those that come with Steward.',
        keywords: 'checklist policies standards rules rule sets guidelines checked spec specification writing',
        fields: specFields
      },
      errors: [InvalidCursor]
    },
    schema: {
      operationId: 'listStandards',
      summary: 'List standards',
      description: 'The standards that specs are held to, newest first, and after them those that come with Steward; ' +
        'without the archived ones unless asked for.',
      tags: ['pse'],
      querystring: ListStandards,
      response: { 200: StandardPage }
    }
  }, async ({ principal, query }) => {
    const { project_id, kind, tag, status } = query
    const filter = { project_id, kind, tag, status }
    const { items, next_cursor } = await paginateById(app, { principal, list: 'standards', filter, query },
      (slice) => listAny(app.db, principal.workspace_id, filter, slice))
    return { items: items.map(describeListed), next_cursor }
  })

  app.get('/standards/:standard', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to read one standard with its rules.',
        gives: 'the standard, its newest version or an older one.',
        keywords: 'checklist policy standard rules demands text of rule set guideline',
        fields: specFields
      }
    },
    schema: {
      operationId: 'getStandard',
      summary: 'Read one standard',
      description: 'One standard by id or key, its newest version or an older one. The ETag is its revision.',
      tags: ['pse'],
      params: StandardParams,
      querystring: StandardVersionQuery,
      response: { 200: Standard }
    }
  }, async ({ principal, params, query }, reply) => {
    const found = await readStandard(app.db, principal.workspace_id, params.standard, query.version)
    reply.header('etag', etag(found.revision))
    return found
  })

  app.post('/standards', {
    config: {
      tool: createStandardTool,
      words: {
        foreign: false,
        use: 'Use this to add a standard: rules that specs are checked by, or a copy of another standard.',
        gives: 'the new standard with its id.',
        keywords: 'checklist policy security own requirements add new standard rules rule set guideline house ' +
          'style spec',
        fields: specFields
      },
      refuses,
      errors: [KeyTaken, NotFound, RuleInvalid]
    },
    schema: {
      operationId: 'createStandard',
      summary: 'Add a standard',
      description: 'Adds a standard: rules that specs are checked by, and a text that a model reads; or a copy of ' +
        'another with clone_of. One for the whole workspace needs the role admin.',
      tags: ['pse'],
      body: CreateStandard,
      response: { 201: Standard }
    }
  }, async ({ principal, body }, reply) => {
    const made = await createStandard(app.db, principal, body)
    reply.code(201).header('etag', etag(made.revision)).header('location', pathOf(made))
    return made
  })

  app.put('/standards/:standard', {
    config: {
      tool: replaceStandardTool,
      words: {
        foreign: false,
        use: 'Use this to change a standard. Send its content whole: it becomes the next version.',
        gives: 'the standard as it is after the change.',
        keywords: 'checklist policy change edit update standard rules rule set guideline',
        fields: specFields,
        leaveOut: ['standard_id', 'version', 'revision', 'status', 'source', 'created_by', 'created_at', 'updated_at']
      },
      refuses,
      errors: putErrors
    },
    schema: {
      operationId: 'replaceStandard',
      summary: 'Change a standard',
      description: `Replaces a standard's content as a whole, which makes a new version. ${unchanged}`,
      tags: ['pse'],
      params: StandardParams,
      headers: PutStandardHeaders,
      body: PutStandard,
      response: { 200: Standard, 201: Standard }
    }
  }, ({ principal, params: { standard: name }, headers, body }, reply) =>
    put(app, principal, { name, headers, body }, reply))

  app.put('/standards', {
    config: {
      gatedAs: ({ query, body }) => gatedAs('replaceStandard', addressIn(query, body), fieldsOf(body)),
      refuses,
      errors: [...putErrors, NotFound, StandardIdRequired]
    },
    schema: {
      operationId: 'replaceNamedStandard',
      summary: 'Change the standard that the query or the body names',
      description: `As PUT /pse/standards/{standard}, which is better for clients. ${unchanged}`,
      tags: ['pse'],
      querystring: StandardAddress,
      headers: PutStandardHeaders,
      body: PutStandard,
      response: { 200: Standard, 201: Standard }
    }
  }, ({ principal, query, headers, body }, reply) =>
    put(app, principal, { name: addressOf(query, body), headers, body }, reply))

  app.delete('/standards/:standard', {
    config: {
      access: { role: 'admin', scope: 'pse:write' },
      tool: deleteStandardTool,
      words: {
        foreign: false,
        use: 'Use this to take a standard out of use. Specs that pinned one of its versions can still read it.',
        gives: 'nothing but that it is done.',
        keywords: 'retire remove archive delete standard rules outdated',
        fields: specFields
      },
      errors: [StaleRevision, BuiltinStandard]
    },
    schema: {
      operationId: 'deleteStandard',
      summary: 'Archive a standard',
      description: 'Takes a standard out of use. Specs that pinned one of its versions can still read it.',
      tags: ['pse'],
      params: StandardParams,
      headers: IfMatch,
      response: { 204: Gone }
    }
  }, async ({ principal, params, headers }, reply) => {
    await archiveStandard(app.db, principal, params.standard, readIfMatch(headers['if-match']))
    return reply.code(204).send(null)
  })

  app.delete('/standards', {
    config: {
      access: { role: 'admin', scope: 'pse:write' },
      gatedAs: ({ query }) => gatedAs('deleteStandard', addressIn(query)),
      errors: [NotFound, StaleRevision, BuiltinStandard, StandardIdRequired, StandardIdConflict]
    },
    schema: {
      operationId: 'deleteNamedStandard',
      summary: 'Archive the standard that the query names',
      description: 'As DELETE /pse/standards/{standard}. Without a name it deletes nothing and answers 400.',
      tags: ['pse'],
      querystring: StandardAddress,
      headers: IfMatch,
      response: { 204: Gone }
    }
  }, async ({ principal, query, headers }, reply) => {
    const name = addressOf(query)
    const found = await findAny(app.db, principal.workspace_id, name)
    await archiveStandard(app.db, principal, name, readIfMatch(headers['if-match']))
    return reply.code(204).header('content-location', `/pse/standards/${found?.id ?? ''}`).send(null)
  })
}

export default standards
