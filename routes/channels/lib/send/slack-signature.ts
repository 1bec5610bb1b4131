import { createHmac, timingSafeEqual } from 'node:crypto'

/** A request is believed for so long after it was signed. */
const windowSeconds = 300

export interface Signed { timestamp: unknown, signature: unknown, body: Buffer }

const isSignedBy = (secret: string, timestamp: string, body: Buffer, signature: string): boolean => {
  const mac = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')
  const [made, given] = [Buffer.from(`v0=${mac}`), Buffer.from(signature)]
  return made.length === given.length && timingSafeEqual(made, given)
}

/**
 * Slack's signature v0, over the time and the bytes of the body.
 * @param secrets the current one, then the previous one while rotating
 */
export const isFromSlack = (secrets: readonly string[], { timestamp, signature, body }: Signed, at: Date): boolean => {
  if (typeof timestamp !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(at.getTime() / 1_000 - Number(timestamp)) > windowSeconds) return false
  return secrets.some((secret) => isSignedBy(secret, timestamp, body, signature))
}
