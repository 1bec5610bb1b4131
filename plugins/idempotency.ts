import { randomUUID } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import {
  claimKey, releaseKey, storeAnswer, type HeldKey, type IdempotencyScope, type StoredAnswer
} from '../db/idempotency.js'
import {
  DatabaseUnavailable, IdempotencyInProgress, IdempotencyMismatch, StateChanged, TargetBusy
} from '../schemas/errors.js'
import { bodyHash, keyScope, readKey } from '../lib/http/requests.js'

const contextOf = (scope: IdempotencyScope) => `idempotency_key|${scope.principal} ${scope.operation} ${scope.key}|body`

const answerAgain = (reply: FastifyReply, stored: StoredAnswer, hash: Buffer, body: string) => {
  if (!stored.body_hash.equals(hash)) throw IdempotencyMismatch()
  if (stored.status === null) throw IdempotencyInProgress().withHeaders({ 'retry-after': '2' })
  return reply.code(stored.status).headers({ ...stored.headers, 'idempotent-replayed': 'true' })
    .serializer((payload: string) => payload).send(body)
}

/** Statuses after which the same key may be used again, unless something was sent. */
const undone = new Set([401, 403, 429, 503])
/** Codes after which it may, unless something was sent or stored: the next attempt may expect another state. */
const undecided = new Set<unknown>([StateChanged.code, TargetBusy.code])
const kept = ['content-type', 'location', 'etag', 'x-error-code', 'retry-after', 'www-authenticate']

declare module 'fastify' {
  interface FastifyRequest { idempotency: HeldKey | null }
  interface FastifyContextConfig {
    /** false: the operation keeps its keys itself */
    idempotency?: false
    /** true: the answer holds a secret, so it is kept encrypted */
    encrypted?: true
  }
}

/**
 * `Idempotency-Key` on every write: the key's row is committed before the work, so after a crash an unfinished row
 * distinguishes "unknown" from "never started".
 */
export default fp(async (app) => {
  const opened = (scope: IdempotencyScope, { body }: StoredAnswer) =>
    body ? app.secrets.decrypt(contextOf(scope), Buffer.from(body, 'base64')) : ''
  app.decorateRequest('idempotency', null)
  app.addHook('preHandler', async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    const { contract, access, idempotency, encrypted } = request.routeOptions.config
    if (!access || idempotency === false) return
    const key = readKey(request)
    if (key === undefined) return
    const operation = `${contract?.operationId} ${request.url}`
    const scope = { ...keyScope(request.principal, operation, key), claim: randomUUID() }
    const hash = bodyHash(request.body)
    const stored = await claimKey(app.db, scope, hash)
    if (stored) return answerAgain(reply, stored, hash, encrypted ? opened(scope, stored) : stored.body ?? '')
    request.idempotency = scope
    app.failpoint('idempotency.after_claim')
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const scope = request.idempotency
    if (!scope) return
    request.idempotency = null
    const { effects } = request
    if (reply.getHeader('x-error-code') === DatabaseUnavailable.code) {
      // A connection that broke during a commit does not say whether it was made: the key stays, without an answer.
      if (!effects || effects.committed || effects.called) return
      return releaseKey(app.db, scope).catch(() => undefined)
    }
    const isUndecided = undecided.has(reply.getHeader('x-error-code')) && !effects?.committed
    if ((isUndecided || undone.has(reply.statusCode)) && !effects?.called) return releaseKey(app.db, scope)
    const headers = Object.fromEntries(kept.flatMap((name) => {
      const value = reply.getHeader(name)
      return value === undefined ? [] : [[name, String(value)]]
    }))
    app.failpoint('idempotency.before_store')
    const text = typeof payload === 'string' ? payload : ''
    const { encrypted } = request.routeOptions.config
    const body = encrypted ? app.secrets.encrypt(contextOf(scope), text).toString('base64') : text
    await storeAnswer(app.db, scope, { status: reply.statusCode, headers, body })
    app.failpoint('idempotency.after_store')
  })
}, { name: 'idempotency', dependencies: ['auth', 'db', 'failpoints', 'secrets'] })
