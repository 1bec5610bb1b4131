import { Readable } from 'node:stream'
import { Value } from '@sinclair/typebox/value'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { hasPasskeys } from '../db/account/passkeys.js'
import { takeSignature, type Signed } from '../lib/passkeys/take-signature.js'
import { digestOf } from '../lib/record/entry.js'
import type { Principal } from '../lib/security/principal.js'
import { isHarmless, waysIn, type StepUp } from '../lib/security/ways-in.js'
import { isSameJson } from '../lib/tools/digest.js'
import {
  OperationSignatureRequired, PasskeySignature, SignatureInvalid, signatureHeader
} from '../schemas/account/passkeys.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who signs the operation, as lib/security/ways-in.ts says. */
    stepUp?: StepUp
  }
  interface FastifyInstance {
    /** @returns whether whoever asks signs an operation that takes such a signature */
    demandsSignature: (principal: Principal, stepUp: StepUp) => Promise<boolean>
  }
  interface FastifyRequest {
    /** The signature of the operation, for the record. */
    signed: Signed | undefined
  }
}

const pointer = `/headers/${signatureHeader}`

/** ADMIN_TOKEN is the installation's, and no person's: it is asked where the workspace demands it, and cannot sign. */
const isDemanded = async ({ db, workspaces }: FastifyInstance, principal: Principal, stepUp: StepUp) => {
  const { workspace_id: workspaceId, user_id: userId, via, via_id } = principal
  const isInstallation = via === 'token' && via_id === null
  if (stepUp === 'change' && workspaces.settingsOf(workspaceId).step_up === true) return true
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

const requireSigned = async (app: FastifyInstance, request: FastifyRequest, stepUp: StepUp): Promise<void> => {
  const header = request.headers[signatureHeader]
  const { contract, tool } = request.routeOptions.config
  const operation = contract?.operationId ?? ''
  // What a run sends was approved: with a signature, where the operation takes one (judge-plan.ts).
  if (tool !== undefined && request.principal.via === 'assistant') return
  if (header === undefined) {
    if (isHarmless(operation, request.body) || !await isDemanded(app, request.principal, stepUp)) return
  }
  if (typeof header !== 'string') {
    const message = 'is missing: sign what POST /account/passkeys/signatures answers'
    throw OperationSignatureRequired(undefined,
      { errors: [{ pointer, code: OperationSignatureRequired.code, message }] })
  }
  // As it came: defaults are filled in later. An archive is read as it arrives, and has a checksum of its own.
  const { principal, method, body = null } = request
  const [path = ''] = request.url.split('?')
  const sent = { method, path, body: digestOf(body instanceof Readable ? null : body) }
  request.signed = await app.db.transaction().execute((trx) => takeSignature(trx, principal, parse(header), {
    pointer, isOf: ({ purpose, operation: named }) => purpose === 'operation' && isSameJson(named, sent)
  }))
}

/**
 * What changes policies, people and their workspaces, or acts in a person's name later, is signed afresh: a session
 * that was taken over does not suffice.
 */
export default fp(async (app) => {
  app.decorateRequest('signed', undefined)
  app.decorate('demandsSignature', (principal: Principal, stepUp: StepUp) => isDemanded(app, principal, stepUp))
  app.addHook('onRoute', (route) => {
    const stepUp = waysIn[(route.config?.contract ?? route.schema)?.operationId ?? '']
    if (stepUp === undefined) return
    route.config = { ...route.config, stepUp }
    const demand = (request: FastifyRequest) => requireSigned(app, request, stepUp)
    route.preValidation = [...[route.preValidation ?? []].flat(), demand]
  })
}, { name: 'step-up', dependencies: ['auth', 'db', 'workspaces'] })
