import { Readable } from 'node:stream'
import { Value } from '@sinclair/typebox/value'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { hasPasskeys } from '../db/account/passkeys.js'
import { takeSignature, type Signed } from '../lib/passkeys/take-signature.js'
import { digestOf } from '../lib/record/canonical.js'
import { isSameJson } from '../lib/tools/digest.js'
import {
  OperationSignatureRequired, PasskeySignature, SignatureInvalid, signatureHeader
} from '../schemas/account/passkeys.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The operation is signed with a passkey by those who have one, and by everybody where the workspace demands it;
     * `own`: only by those who have one, as for another passkey or a token of theirs.
     */
    stepUp?: 'change' | 'own'
  }
  interface FastifyRequest {
    /** The signature of the operation, for the record. */
    signed: Signed | undefined
  }
}

const pointer = `/headers/${signatureHeader}`

/** ADMIN_TOKEN is the installation's, and no person's: it is asked where the workspace demands it, and cannot sign. */
const isDemanded = async ({ db, workspaces }: FastifyInstance, { principal, routeOptions }: FastifyRequest) => {
  const { workspace_id: workspaceId, user_id: userId, via, via_id } = principal
  const isInstallation = via === 'token' && via_id === null
  if (routeOptions.config.stepUp === 'change' && workspaces.settingsOf(workspaceId).step_up === true) return true
  return !isInstallation && hasPasskeys(db, workspaceId, userId)
}

/** The four parts in the order in which the schema has them, with points between: base64url has none. */
const parse = (header: string): PasskeySignature => {
  const [credential_id, authenticator_data, client_data_json, signature, ...rest] = header.split('.')
  const parsed = { credential_id, authenticator_data, client_data_json, signature }
  if (rest.length === 0 && Value.Check(PasskeySignature, parsed)) return parsed
  const message = 'is four parts in base64url with points between'
  throw SignatureInvalid(`${pointer} ${message}`, { errors: [{ pointer, code: 'form', message }] })
}

const requireSigned = async (app: FastifyInstance, request: FastifyRequest): Promise<void> => {
  const header = request.headers[signatureHeader]
  if (header === undefined && !await isDemanded(app, request)) return
  if (typeof header !== 'string') {
    const message = 'is missing: sign what POST /account/passkeys/signatures answers'
    throw OperationSignatureRequired(undefined,
      { errors: [{ pointer, code: OperationSignatureRequired.code, message }] })
  }
  // As it came: defaults are filled in later. An archive is read as it arrives, and has a checksum of its own.
  const { principal, method, body = null } = request
  const [path = ''] = request.url.split('?')
  const operation = { method, path, body: digestOf(body instanceof Readable ? null : body) }
  request.signed = await app.db.transaction().execute((trx) => takeSignature(trx, principal, parse(header), {
    pointer, isOf: ({ purpose, operation: named }) => purpose === 'operation' && isSameJson(named, operation)
  }))
}

/**
 * What changes policies, people and their workspaces, or acts in a person's name later, is signed afresh: a session
 * that was taken over does not suffice.
 */
export default fp(async (app) => {
  app.decorateRequest('signed', undefined)
  const demand = (request: FastifyRequest) => requireSigned(app, request)
  app.addHook('onRoute', (route) => {
    if (route.config?.stepUp) route.preValidation = [...[route.preValidation ?? []].flat(), demand]
  })
}, { name: 'step-up', dependencies: ['auth', 'db', 'workspaces'] })
