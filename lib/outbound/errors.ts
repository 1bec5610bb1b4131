import { codeOf, messageOf, fieldsOf, textIn } from '../../schemas/unknown.js'

/** Errors of a connection that never was: nothing went on the wire. One that breaks later may have carried it all. */
const codes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'])

/** @returns whether the error of a client shows that the request was never sent */
export const isNeverSent = (error: unknown): boolean => {
  // Anything may be thrown; every field may be missing.
  const { cause } = fieldsOf(error)
  if (codes.has(codeOf(error) ?? '') || codes.has(textIn(error, 'name') ?? '')) return true
  if (/did not establish a connection/.test(messageOf(error))) return true
  return cause !== undefined && isNeverSent(cause)
}

/** @returns whether a provider's HTTP status says that it refused, and so did nothing */
export const isRefusal = (status: number | undefined): boolean => status !== undefined && status >= 400 && status < 500

export type OutboundCode = 'url_not_allowed' | 'url_unreachable' | 'url_timeout' | 'url_too_large'

/** Why nothing was fetched. The message is for people and reveals nothing about our network. */
export class OutboundError extends Error {
  constructor (readonly code: OutboundCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OutboundError'
  }
}

export const notAllowed = (why: string) => new OutboundError('url_not_allowed', why)
export const unreachable = (cause?: unknown) =>
  new OutboundError('url_unreachable', 'The server could not be reached', cause)
