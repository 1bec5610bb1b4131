import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { issuerOf } from '../../lib/security/issuer.js'
import { consentPage, discovery, paths } from './lib/oauth/deps.js'

/** Headers that the frame has set so far, as those of rate limits; the library writes the rest itself. */
const passOn = (reply: FastifyReply): void => {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
}

/** The endpoints of the protocol, as its metadata lists them; a library answers, from the socket on. */
const endpoints: [method: string[], url: string][] = [
  [['GET', 'OPTIONS'], discovery],
  // Of an issuer with a path, whose proxy takes the path away only at its beginning (RFC 8414, 3.1).
  [['GET', 'OPTIONS'], `${discovery}/*`],
  [['GET'], paths.authorization],
  [['GET'], `${paths.authorization}/:uid`],
  [['POST', 'OPTIONS'], paths.token],
  [['POST'], paths.registration],
  [['POST', 'OPTIONS'], paths.revocation],
  [['POST', 'OPTIONS'], paths.device_authorization],
  [['GET', 'POST'], paths.code_verification],
  [['GET'], `${paths.code_verification}/:uid`]
]

const oauth: FastifyPluginAsync = async (app) => {
  app.publish(app, 'OAuth: clients say who they are, and people sign in, by the protocol')
  // The library reads the body itself, and limits it.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => { done(null) })
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const issuer = await issuerOf(app, request)
    const { raw, host, ip } = request
    if (raw.url?.startsWith(`${discovery}/`)) raw.url = discovery
    reply.hijack()
    passOn(reply)
    await app.oauth.handle(issuer, raw, reply.raw, { host, ip })
  }
  for (const [method, url] of endpoints) app.route({ method, url, schema: { hide: true }, handler: answer })

  // The browser's cookie of this request is for this address and what is below it.
  app.get<{ Params: { request_id: string } }>('/oauth/consents/:request_id', { schema: { hide: true } },
    async (request, reply) => reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .redirect(`${await issuerOf(app, request)}${consentPage(request.params.request_id)}`, 303))
}

export default oauth
