import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isHeld, weakTagOf } from '../lib/http/entity-tag.js'
import { apiPage } from '../lib/openapi/page.js'

interface Kept { text: Buffer, zipped: Buffer, etag: string }

const make = async (app: FastifyInstance): Promise<Kept> => {
  const json = JSON.stringify(app.swagger())
  return { text: Buffer.from(json), zipped: await promisify(gzip)(json), etag: weakTagOf(json) }
}

/** @returns whether the reader takes gzip: by its name, and not with a quality of 0 */
const takesGzip = (header: string | string[] | undefined): boolean =>
  /(?:^|,)\s*gzip\s*(?:,|$|;\s*q=(?:1|0?\.\d*[1-9]))/i.test(String(header ?? ''))

/**
 * The document of the API, and the page that shows it. The routes do not change after the start, so the document is
 * made once and kept as the bytes that are sent. It stands behind the limits: whoever asks again and again is told so.
 */
export default fp(async (app) => {
  let kept: Promise<Kept> | undefined
  const answer = async ({ headers }: FastifyRequest, reply: FastifyReply) => {
    kept ??= make(app)
    const { text, zipped, etag } = await kept
    reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' })
    if (headers['if-none-match'] !== undefined && isHeld(headers['if-none-match'], etag)) return reply.code(304).send()
    reply.type('application/json; charset=utf-8')
    if (!takesGzip(headers['accept-encoding'])) return reply.send(text)
    return reply.header('content-encoding', 'gzip').send(zipped)
  }
  await app.register(async (scope) => {
    app.publish(scope, 'the API is documented for everybody')
    // The page reads the document as it would from any address; its own copies would be made for each reader.
    scope.addHook('onRoute', (route) => {
      if (route.url === '/docs/json' || route.url === '/docs/yaml') route.handler = answer
    })
    await scope.register(swaggerUi, apiPage)
    scope.get('/openapi.json', { logLevel: 'warn', schema: { hide: true } }, answer)
  })
}, { name: 'api-document', dependencies: ['openapi', 'rate-limits'] })
