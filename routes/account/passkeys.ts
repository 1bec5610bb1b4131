import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listPasskeys, renamePasskey } from '../../db/account/passkeys.js'
import { paginateById } from '../../lib/http/paginate.js'
import { offerSignature, relyingPartyOf } from '../../lib/passkeys/challenges.js'
import { hasRole, type Access } from '../../lib/security/principal.js'
import {
  CreatePasskey, ListPasskeys, Passkey, PasskeyOptions, PasskeyPage, PasskeyParams, PasskeysUnavailable,
  SignatureInvalid, SignatureOptions, SignOperation, UpdatePasskey
} from '../../schemas/account/passkeys.js'
import { InvalidCursor, NotFound } from '../../schemas/errors.js'
import { PasskeyKnown, TooManyPasskeys } from './lib/errors.js'
import { offerRegistration, registerPasskey, requireBrowser, removePasskey } from './lib/people/passkeys.js'

const reads: Access = { scope: 'account:read', role: 'viewer', on: 'anywhere' }
const writes: Access = { scope: 'account:write', role: 'viewer', on: 'anywhere' }
const refuses = { insufficient_scope: 'a passkey signs for its person: no token registers, names or removes one' }
const tags = ['account']

const passkeys: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/passkeys', {
    config: { access: reads, errors: [InvalidCursor, NotFound] },
    schema: {
      operationId: 'listPasskeys',
      summary: 'List passkeys',
      description: 'Mine, newest first; for admins also those of another person.',
      tags,
      querystring: ListPasskeys,
      response: { 200: PasskeyPage }
    }
  }, ({ principal, query }) => {
    const whose = query.user_id?.toLowerCase() ?? principal.user_id
    if (whose !== principal.user_id && !hasRole(principal, 'admin')) throw NotFound()
    return paginateById(app, { principal, list: 'passkeys', filter: whose, query },
      (slice) => listPasskeys(app.db, principal.workspace_id, whose, slice))
  })

  app.post('/passkeys/options', {
    config: { access: writes, refuses, audit: false, idempotency: false, errors: [PasskeysUnavailable] },
    schema: {
      operationId: 'offerPasskey',
      summary: 'Ask what a new passkey has to be',
      description: 'In the browser\'s session: what navigator.credentials.create() is given, once and for five minutes',
      tags,
      response: { 200: PasskeyOptions }
    }
  }, (request) => offerRegistration(app.db, request.principal, relyingPartyOf(app, request)))

  app.post('/passkeys', {
    config: {
      access: writes, refuses, idempotency: false, errors: [SignatureInvalid, PasskeyKnown, TooManyPasskeys]
    },
    schema: {
      operationId: 'createPasskey',
      summary: 'Register a passkey',
      description: 'In the browser\'s session: keeps the public key that the browser has made. The record names it.',
      tags,
      body: CreatePasskey,
      response: { 201: Passkey }
    }
  }, async (request, reply) => {
    const passkey = await registerPasskey(app.db, request, request.body)
    request.recorded = true
    reply.code(201).header('location', `/account/passkeys/${passkey.id}`)
    return passkey
  })

  app.patch('/passkeys/:passkey_id', {
    config: { access: { ...writes, owner: 'person' }, refuses },
    schema: {
      operationId: 'updatePasskey',
      summary: 'Name a passkey',
      description: 'In the browser\'s session, one of mine.',
      tags,
      params: PasskeyParams,
      body: UpdatePasskey,
      response: { 200: Passkey }
    }
  }, async ({ principal, params, body }) => {
    requireBrowser(principal)
    const { workspace_id: workspaceId, user_id: userId } = principal
    const renamed = await renamePasskey(app.db, workspaceId, userId, params.passkey_id, body.name)
    if (!renamed) throw NotFound()
    return renamed
  })

  app.delete('/passkeys/:passkey_id', {
    config: { access: { ...writes, owner: 'person_or_admin' }, refuses },
    schema: {
      operationId: 'deletePasskey',
      summary: 'Remove a passkey',
      description: 'Mine, or anybody\'s for admins, as when it is lost; not through an API token with scopes. What ' +
        'it has signed stays signed.',
      tags,
      params: PasskeyParams,
      response: { 204: Type.Null({ description: 'Removed' }) }
    }
  }, async (request, reply) => {
    await removePasskey(app.db, request, request.params.passkey_id)
    request.recorded = true
    return reply.code(204).send(null)
  })

  app.post('/passkeys/signatures', {
    config: { access: writes, audit: false, idempotency: false, errors: [PasskeysUnavailable] },
    schema: {
      operationId: 'signOperation',
      summary: 'Ask what a passkey has to sign for a change of policies or people',
      description: 'A challenge for one request, once and for five minutes. Its signature is sent with the request, ' +
        'in the header X-Steward-Signature: the four parts, with points between.',
      tags,
      body: SignOperation,
      response: { 200: SignatureOptions }
    }
  }, (request) => {
    const { method, path, body_digest: body } = request.body
    const what = { purpose: 'operation' as const, operation: { method, path, body } }
    return offerSignature(app.db, request.principal, relyingPartyOf(app, request), what)
  })
}

export default passkeys
