import { OutboundError } from '../../../../lib/outbound/errors.js'
import type { OauthDeps } from './deps.js'

const timeoutMs = 5_000
const maxBytes = 16_384

/**
 * The library's way to a client's document: only to public addresses, over https, a small answer, and no redirect.
 * @throws OutboundError
 */
export const fetchGuarded = ({ outbound }: Pick<OauthDeps, 'outbound'>) =>
  async (input: string | URL | Request): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.protocol !== 'https:') throw new OutboundError('url_not_allowed', 'Only https is asked')
    const headers = { accept: 'application/json' }
    const { status, headers: given, body } =
      await outbound.fetch({ url: url.href, headers, timeoutMs, maxBytes, maxRedirects: 0 })
    // It was unpacked, and has another length now.
    const { 'content-encoding': _, 'content-length': __, ...rest } = given
    // A Response of these statuses has no body.
    return new Response([204, 205, 304].includes(status) ? null : new Uint8Array(body), { status, headers: rest })
  }
