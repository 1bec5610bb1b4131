import { createHmac, timingSafeEqual } from 'node:crypto'

// A constant and no secret: the signatures have to verify after a restart.
const key = 'steward sandbox thinking signature'

const mac = (text: string) => createHmac('sha256', key).update(text).digest('base64')

/** Signs a thinking block as it is shown: the text, or nothing where the display is omitted. */
export const sign = (shown: string) => `Sandbox${mac(`thinking\n${shown}`)}`

/** The opaque data of a redacted thinking block. */
export const redact = (id: string) => `${Buffer.from(id).toString('base64url')}.${mac(`redacted\n${id}`)}`

function same (a: string, b: string) {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** True when the block comes back exactly as it was issued. */
export const signatureHolds = (shown: string, signature: string) => same(sign(shown), signature)

/** True when the redacted data was issued here. */
export const redactionHolds = (data: string) =>
  same(redact(Buffer.from(data.split('.')[0] ?? '', 'base64url').toString()), data)
