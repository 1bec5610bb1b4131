import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { PathMethods } from '../lib/http/path-methods.js'
import { answerError, sendProblem } from '../lib/http/problem.js'
import { MalformedRequest, MethodNotAllowed, NotFound, ShuttingDown, type ErrorDefinition } from '../schemas/errors.js'

/** RFC 3986, host and port; spaces and control characters, and what separates parts of a URL, are none of it. */
const hostForm = /^([\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(:\d*)?$/i
const authority = /^https?:\/\/([^/?#]*)/i

/** RFC 9112, 3.2: a proxy in front may look at another of two names than we do. @throws malformed_request */
const requireOneHost = ({ raw, headers: { host } }: FastifyRequest): void => {
  const sent = raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length
  if (sent > 1) throw MalformedRequest('There must be one header Host')
  if (host !== undefined && !hostForm.test(host)) throw MalformedRequest('The header Host is no name and port')
  const named = authority.exec(raw.url ?? '')?.[1]
  if (named === undefined || named.toLowerCase() === host?.toLowerCase()) return
  throw MalformedRequest('The request target and the header Host name different hosts')
}

/** Answers OPTIONS, and what no route takes: 405 where others do. Browsers of other origins learn nothing by it. */
const answerMethod = (paths: PathMethods, request: FastifyRequest, reply: FastifyReply) => {
  const { method, url } = request
  const taken = url === '*' ? paths.all() : paths.find(url)
  // A route that takes the method has found nothing there.
  if (taken.length === 0 || (taken.includes(method) && method !== 'OPTIONS')) {
    return sendProblem(request, reply, NotFound(`No ${method} here`))
  }
  reply.header('allow', taken.join(', '))
  if (method === 'OPTIONS') return reply.code(204).send()
  return sendProblem(request, reply, MethodNotAllowed(`It takes ${taken.join(', ')}, not ${method}`))
}

declare module 'fastify' {
  interface FastifyContextConfig { errors?: ErrorDefinition[] }
}

export default fp(async (app: FastifyInstance) => {
  // What people stored comes back as what we say it is: no browser takes JSON for a page.
  let isClosing = false
  app.addHook('preClose', async () => { isClosing = true })
  app.addHook('onRequest', async (request, reply) => {
    const { headers, raw } = request
    reply.header('x-content-type-options', 'nosniff')
    if (isClosing) throw ShuttingDown().withHeaders({ 'retry-after': '2' })
    if (headers.host === undefined && raw.httpVersion === '1.1') throw MalformedRequest('The header Host is missing')
    requireOneHost(request)
  })
  app.setErrorHandler(answerError)
  const paths = new PathMethods()
  app.addHook('onRoute', ({ url, method }) => { for (const one of [method].flat()) paths.add(url, one) })
  app.setNotFoundHandler((request, reply) => answerMethod(paths, request, reply))
}, { name: 'errors' })
