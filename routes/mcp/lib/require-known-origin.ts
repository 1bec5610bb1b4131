import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify'
import { answerError } from '../../../lib/http/problem.js'
import { CsrfRejected, MalformedJson, NotUtf8 } from '../../../schemas/errors.js'
import { codeOf } from '../../../schemas/unknown.js'

const notJson = new Set<unknown>([MalformedJson.code, NotUtf8.code])

/** JSON-RPC 2.0, 5.1: what is not JSON has no id, and a code of its own. Every other error is a problem. */
export const answerParseError = (error: Error, request: FastifyRequest, reply: FastifyReply) => {
  if (!notJson.has(codeOf(error))) return answerError(error, request, reply)
  return reply.code(400).send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })
}

const isLoopback = (name: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(name)

const urlOf = (text: string): URL | undefined => URL.canParse(text) ? new URL(text) : undefined

/**
 * A page that a browser shows may talk to the endpoint only where it is Steward's own. The request's Host says nothing:
 * a foreign page whose name was made to point here sends its own (DNS rebinding).
 * @throws csrf_rejected
 */
export const requireKnownOrigin = async (app: FastifyInstance, request: FastifyRequest): Promise<void> => {
  const { origin } = request.headers
  if (origin === undefined) return
  const [own, page] = [urlOf(app.config.publicUrl), urlOf(origin)]
  if (own && page && (own.origin === page.origin || (isLoopback(own.hostname) && isLoopback(page.hostname)))) return
  const isWorkspaceHost = await app.workspaces.of(request) !== undefined
  if (!isWorkspaceHost || page?.host !== request.host) throw CsrfRejected()
}
