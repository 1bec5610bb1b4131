import type { FastifyInstance, FastifyRequest } from 'fastify'
import { CsrfRejected } from '../../schemas/errors.js'

/** Methods that change nothing (RFC 9110, 9.2.1). */
export const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

const publicOriginOf = (url: string) => URL.canParse(url) ? new URL(url).origin : url

/**
 * A browser sends its cookie along with requests that other sites make. Those say so in Sec-Fetch-Site; a browser
 * too old for that says it in Origin; a request that says neither is not one of our pages.
 */
export const requireOwnSite = (app: FastifyInstance, request: FastifyRequest) => {
  if (safeMethods.has(request.method)) return
  const { 'sec-fetch-site': site, origin } = request.headers
  if (site === 'same-origin') return
  const ours = [publicOriginOf(app.config.publicUrl), `${request.protocol}://${request.host}`]
  if (site === undefined && origin !== undefined && ours.includes(origin)) return
  throw CsrfRejected()
}

/** For a public operation that gives credentials: no other site's page may sign a browser in; a script may. */
export const requireOwnPage = (app: FastifyInstance, request: FastifyRequest) => {
  const { 'sec-fetch-site': site, origin } = request.headers
  if (site !== undefined || origin !== undefined) requireOwnSite(app, request)
}
