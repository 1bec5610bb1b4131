import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isHeld, weakTagOf } from '../lib/http/requests.js'
import { ApiReference } from '../lib/openapi/reference.js'
import { fieldsOf } from '../schemas/unknown.js'

interface Kept { text: Buffer, zipped: Buffer, etag: string }

const keep = async (content: string): Promise<Kept> =>
  ({ text: Buffer.from(content), zipped: await promisify(gzip)(content), etag: weakTagOf(content) })

/** @returns whether the reader takes gzip: by its name, and not with a quality of 0 */
const takesGzip = (header: string | string[] | undefined): boolean =>
  /(?:^|,)\s*gzip\s*(?:,|$|;\s*q=(?:1|0?\.\d*[1-9]))/i.test(String(header ?? ''))

/** Everything comes from here. It asks for no https, which an installation in a private network need not have. */
const contentSecurityPolicy = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "base-uri 'none'",
  "form-action 'none'", "frame-ancestors 'none'"
].join('; ')

const json = 'application/json; charset=utf-8'
const html = 'text/html; charset=utf-8'
const hidden = { logLevel: 'warn', schema: { hide: true } } as const

/**
 * The document of the API, and its reference. The routes do not change after the start, so the document is made once and
 * kept as the bytes that are sent. It stands behind the limits: whoever asks again and again is told so.
 */
export default fp(async (app: FastifyInstance) => {
  let document: Promise<Kept> | undefined
  let index: Promise<Kept> | undefined
  let reference: ApiReference | undefined
  const pages = (): ApiReference => {
    reference ??= new ApiReference(fieldsOf(app.swagger()))
    return reference
  }
  const answer = async ({ headers }: FastifyRequest, reply: FastifyReply, type: string, kept: Promise<Kept>) => {
    const { text, zipped, etag } = await kept
    reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding', 'x-content-type-options': 'nosniff' })
    if (type === html) reply.header('content-security-policy', contentSecurityPolicy)
    if (headers['if-none-match'] !== undefined && isHeld(headers['if-none-match'], etag)) return reply.code(304).send()
    reply.type(type)
    if (!takesGzip(headers['accept-encoding'])) return reply.send(text)
    return reply.header('content-encoding', 'gzip').send(zipped)
  }
  const answerDocument = (request: FastifyRequest, reply: FastifyReply) => {
    document ??= keep(JSON.stringify(app.swagger()))
    return answer(request, reply, json, document)
  }
  const answerIndex = (request: FastifyRequest, reply: FastifyReply) => {
    index ??= keep(pages().renderIndex())
    return answer(request, reply, html, index)
  }

  const answerPage = (request: FastifyRequest, reply: FastifyReply, page: string | undefined) =>
    page === undefined ? reply.callNotFound() : answer(request, reply, html, keep(page))

  await app.register(async (scope) => {
    app.publish(scope, 'the API is documented for everybody')
    // JSON is YAML.
    for (const url of ['/openapi.json', '/docs/json', '/docs/yaml']) scope.get(url, hidden, answerDocument)
    scope.get('/docs', hidden, (_, reply) => reply.redirect('docs/'))
    scope.get('/docs/', hidden, answerIndex)
    scope.get('/docs/errors', hidden, (request, reply) => answerPage(request, reply, pages().renderErrors()))
    scope.get<{ Params: { id: string } }>('/docs/:id', hidden, (request, reply) =>
      answerPage(request, reply, pages().renderOperation(request.params.id)))
    scope.get<{ Params: { name: string } }>('/docs/schemas/:name', hidden, (request, reply) =>
      answerPage(request, reply, pages().renderSchema(request.params.name)))
  })
}, { name: 'api-document', dependencies: ['openapi', 'rate-limits'] })
