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
