import fp from 'fastify-plugin'
import { continueIn, currentEffects, Effects } from '../db/effects.js'
import { compileSent } from '../db/idempotency.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** What this request has sent and committed so far; null for one that only reads. */
    effects: Effects | null
    /** Marks that something which changes the world is about to be sent; the shared clients do it by themselves. */
    sent: () => void
  }
}

const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Every write knows whether it has passed its point of no return: before it a failure is `failed`, after it `unknown`
 * until a person has checked. With an Idempotency-Key the mark is in the key's row before the first call goes on the
 * wire, or in the transaction that commits, so it is known after a crash as well.
 */
export default fp(async (app) => {
  app.decorateRequest('effects', null)
  app.decorateRequest('sent', function () { this.effects?.sent() })
  app.addHook('preHandler', (request, _reply, done) => {
    if (reads.has(request.method)) return done()
    const { idempotency: held } = request
    const mark = held && { query: compileSent(app.db, held), execute: app.db.executeQuery.bind(app.db) }
    const effects = new Effects(currentEffects(), mark ?? undefined)
    request.effects = effects
    continueIn(effects, done)
  })
  // Not at the response's end: a client that left has none. A stream, which is sent by no hook, closes it itself.
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.effects?.close()
    done(null, payload)
  })
}, { name: 'point-of-no-return', dependencies: ['db', 'idempotency'] })
