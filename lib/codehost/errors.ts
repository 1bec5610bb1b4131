import {
  CodehostBadResponse, CodehostConflict, CodehostError, CodehostForbidden, CodehostNotFound, CodehostRateLimited,
  CodehostReauthRequired, CodehostTimeout, CodehostValidation
} from '../../schemas/codehost/errors.js'
import { ApiError } from '../../schemas/errors.js'
import { fieldsOf, textIn } from '../../schemas/unknown.js'
import { toWebLink } from '../http/addresses.js'

/** What octokit throws, read with care: every field may be missing. */
export interface Thrown {
  status?: number
  cause?: unknown
  request?: { url?: string }
  response?: { headers?: Record<string, string | number | undefined>, data?: unknown }
}

/** GitHub's advice where a limit does not say for how long. */
const defaultWaitS = 60
const maxWaitS = 3_600

const headerOf = ({ response }: Thrown, name: string): string | undefined => {
  const value = response?.headers?.[name]
  return value === undefined ? undefined : String(value)
}

const messageOf = ({ response }: Thrown): string => {
  return textIn(response?.data, 'message') ?? ''
}

/** The host's clock counts, not ours. */
const nowOf = (error: Thrown): number => {
  const date = Date.parse(headerOf(error, 'date') ?? '')
  return Number.isNaN(date) ? Date.now() : date
}

const isLimit = (error: Thrown): boolean => {
  if (error.status === 429) return true
  if (error.status !== 403) return false
  return headerOf(error, 'retry-after') !== undefined || headerOf(error, 'x-ratelimit-remaining') === '0' ||
    /rate limit|abuse detection/i.test(messageOf(error))
}

/** @returns seconds to wait: as Retry-After says, else until the limit is set back, else a minute */
const waitOf = (error: Thrown): number => {
  const retryAfter = headerOf(error, 'retry-after')
  const spent = headerOf(error, 'x-ratelimit-remaining') === '0'
  const reset = spent ? Number(headerOf(error, 'x-ratelimit-reset')) - nowOf(error) / 1_000 : NaN
  const dated = retryAfter === undefined ? NaN : (Date.parse(retryAfter) - nowOf(error)) / 1_000
  const stated = retryAfter === undefined ? NaN : Number(retryAfter)
  const wait = [stated, dated, reset].find((seconds) => !Number.isNaN(seconds))
  return Math.min(Math.max(Math.ceil(wait ?? defaultWaitS), 1), maxWaitS)
}

/** @returns the error of the rate limit that an answer reports, if it does */
export const limitIn = (error: Thrown): ApiError | undefined =>
  isLimit(error) ? rateLimited(waitOf(error)) : undefined

/** @returns the address without what was asked there */
const addressOf = ({ request }: Thrown): string => {
  const url = request?.url ?? ''
  return URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : 'The address'
}

/** A code host's own "not found" is JSON with a message; a page is of another server, or of another part of it. */
const notFound = (error: Thrown): ApiError => messageOf(error) !== ''
  ? CodehostNotFound()
  : CodehostBadResponse(`${addressOf(error)} answered ${error.status}, and not as the REST API of a code host does. ` +
    'Set CODEHOST_API_URL to the address of that API')

/** @returns the error of a limit that ends in so many seconds */
export const rateLimited = (seconds: number): ApiError =>
  CodehostRateLimited(`The code host limits requests; try again in ${seconds} s`, { retry_after: seconds })
    .withHeaders({ 'retry-after': String(seconds) })

/** @returns the error of a limit that GraphQL reports with status 200 */
export const limitOfQuery = (data: unknown): ApiError | undefined => {
  const { errors } = fieldsOf(data)
  const isLimited = Array.isArray(errors) && errors.some((error) => textIn(error, 'type') === 'RATE_LIMITED')
  return isLimited ? rateLimited(defaultWaitS) : undefined
}

/** Which organizations an answer leaves out until the person signs in to them, by their numbers. */
export const hiddenOrganizations = (header: unknown): string[] => {
  const [, listed = ''] = /^partial-results; *organizations=([\d, ]+)/.exec(String(header ?? '')) ?? []
  return listed.split(',').map((id) => id.trim()).filter((id) => id !== '')
}

const blockOf = ({ response }: Thrown) => {
  const { block } = fieldsOf(response?.data)
  return { block_reason: textIn(block, 'reason') ?? null, block_url: toWebLink(textIn(block, 'html_url')) }
}

/** What a token may do, and what it would have to: one of several, each a list. */
const lacks = (error: Thrown) => {
  const [has, needs] = ['x-oauth-scopes', 'x-accepted-oauth-scopes'].map((name) =>
    headerOf(error, name)?.split(',').map((scope) => scope.trim()).filter((scope) => scope !== ''))
  return has && needs && needs.length > 0 && !needs.some((scope) => has.includes(scope)) ? needs : undefined
}

/**
 * Why the host refuses, by its headers first and by its fixed sentences where it has no header for that. `reason` is
 * stable, and each leads to what a person can do.
 */
const forbidden = (error: Thrown): ApiError => {
  const sso = headerOf(error, 'x-github-sso')
  if (sso !== undefined) {
    const url = toWebLink(/\burl=([^;\s]+)/.exec(sso)?.[1])
    return CodehostForbidden('The organization asks you to sign in by SAML: ' +
      `${url === null ? 'do so at the code host' : `open ${url}`}, then try again`,
    { reason: 'sso_required', sso_url: url })
  }
  const message = messageOf(error)
  const block = blockOf(error)
  if (error.status === 451 || block.block_reason !== null) {
    const why = block.block_reason ?? 'for legal reasons'
    return CodehostForbidden(`The code host has blocked this repository (${why}); only its owner and the code host ` +
      'can change that', { reason: 'blocked', ...block })
  }
  if (/\bIP allow list\b/i.test(message)) {
    return CodehostForbidden('The organization has an IP allow list, and the address of Steward is not on it: ' +
      'an owner of the organization adds it', { reason: 'ip_not_allowed' })
  }
  if (/\bOAuth App access restrictions\b/i.test(message)) {
    return CodehostForbidden('The organization restricts OAuth Apps and has not approved this one: ' +
      'an owner approves it under Third-party access of the organization', { reason: 'oauth_app_restricted' })
  }
  const permissions = headerOf(error, 'x-accepted-github-permissions')
  if (permissions !== undefined && /\bnot accessible by\b/i.test(message)) {
    return CodehostForbidden(`The application lacks a permission (${permissions}): its owner adds it, and the ` +
      'organization accepts it', { reason: 'permission_missing', permissions })
  }
  const scopes = lacks(error)
  if (scopes) {
    return CodehostForbidden(`The connection lacks a scope (one of ${scopes.join(', ')}): set CODEHOST_SCOPES, and ` +
      'connect again', { reason: 'scope_missing', scopes })
  }
  return CodehostForbidden(undefined, { reason: 'not_allowed' })
}

const byStatus = (error: Thrown): ApiError => {
  switch (error.status) {
    case 401: return CodehostReauthRequired()
    case 403:
    case 451: return forbidden(error)
    case 404:
    case 410: return notFound(error)
    case 409: return CodehostConflict()
    case 400:
    case 422: return CodehostValidation()
    case 408:
    case 504: return CodehostTimeout()
    default: return (error.status ?? 0) >= 500 ? CodehostError() : CodehostBadResponse()
  }
}

/** @returns octokit's error as ours: never a bare 500, never the code host's 401 as the caller's, none of its words */
export const toCodehostError = (thrown: unknown): ApiError => {
  if (thrown instanceof ApiError) return thrown
  // Anything may be thrown; what is no object has none of the fields.
  const error: Thrown = Object(thrown)
  if (error.cause instanceof ApiError) return error.cause
  if (error.status === undefined || error.response === undefined) return CodehostBadResponse()
  return limitIn(error) ?? byStatus(error)
}
