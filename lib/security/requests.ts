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

/** A page runs our scripts and styles only, sends nothing elsewhere, is never framed or cached. */
export const pageHeaders = {
  'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store'
}

/**
 * A text that people wrote, opened as a page: nothing of it runs, loads anything from anywhere (an image of a stranger
 * would report its reader), navigates, or stands in a frame.
 */
export const documentHeaders = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin'
}
