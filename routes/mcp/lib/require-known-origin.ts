import type { FastifyInstance, FastifyRequest } from 'fastify'
import { CsrfRejected } from '../../../schemas/errors.js'

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
