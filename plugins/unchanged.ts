import type { onSendHookHandler, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { isHeld, tagWithContent, weakTagOf } from '../lib/http/requests.js'
import { answersPage, answersRecord } from '../lib/openapi/contract.js'

/** Kept by the one who asked alone, and never shown again before this server has been asked whether it still holds. */
const caching = { 'cache-control': 'private, no-cache', vary: 'authorization, cookie' }

/** Of a record, whose handler has set the tag of its revision, or of a page, which has none. */
const tagOf = (revision: unknown, payload: string): string =>
  typeof revision === 'string' ? tagWithContent(revision, payload) : weakTagOf(payload)

const answerUnchanged: onSendHookHandler<unknown> = (request, reply, payload, done) => {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload)
  const etag = tagOf(reply.getHeader('etag'), payload)
  reply.headers({ ...caching, etag })
  const held = request.headers['if-none-match']
  if (held === undefined || !isHeld(held, etag)) return done(null, payload)
  reply.code(304).removeHeader('content-type')
  done(null, null)
}

const addTo = (route: RouteOptions): void => {
  if (!answersPage(route) && !answersRecord(route)) return
  // First: for HEAD the last one takes the text away.
  route.onSend = [answerUnchanged, route.onSend ?? []].flat()
}

/**
 * Every page of a list, and every record that counts its changes, has an ETag, of what is sent, and is 304 to whoever has
 * it. It is read all the same: what is saved is the way to the client. Credentials are checked before, so a 304 gives
 * nothing away.
 */
export default fp(async (app) => { app.addHook('onRoute', addTo) }, { name: 'unchanged' })
