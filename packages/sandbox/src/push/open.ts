import {
  createDecipheriv, createHmac, createPublicKey, hkdfSync, verify, type ECDH
} from 'node:crypto'

/** What a browser gives out of itself, and what it keeps. */
export interface BrowserKeys { ecdh: ECDH, auth: Buffer }

const tagLength = 16

/** @returns 16 bytes of key and 12 of nonce, by RFC 8188 with the keying material of RFC 8291 */
const keysOf = ({ ecdh, auth }: BrowserKeys, sender: Buffer, salt: Buffer) => {
  const shared = ecdh.computeSecret(sender)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
  const material = Buffer.from(hkdfSync('sha256', shared, auth, info, 32))
  const derive = (name: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', material, salt, `Content-Encoding: ${name}\0`, length))
  return { key: derive('aes128gcm', 16), nonce: derive('nonce', 12) }
}

/** Opens a message of one record, as a browser does. @throws Error when it is not for this browser, or changed */
export const openMessage = (keys: BrowserKeys, body: Buffer): string => {
  const salt = body.subarray(0, 16)
  const idLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + idLength)
  const record = body.subarray(21 + idLength)
  if (record.length > body.readUInt32BE(16)) throw new Error('More than one record')
  const { key, nonce } = keysOf(keys, sender, salt)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-tagLength))
  const plain = Buffer.concat([decipher.update(record.subarray(0, -tagLength)), decipher.final()])
  // Padding is a delimiter, of 2 in the last record, and zeros.
  const end = plain.lastIndexOf(2)
  if (end < 0 || plain.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('No padding')
  return plain.subarray(0, end).toString('utf8')
}

const fromUrl = (text: string): Buffer => Buffer.from(text, 'base64url')

/** @returns a public key of P-256 from its uncompressed point */
const toKey = (point: Buffer) => createPublicKey({
  format: 'jwk',
  key: {
    kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url')
  }
})

const longestSeconds = 86_400

/**
 * Checks who sends (RFC 8292).
 * @param authorization `vapid t=…, k=…` @param serverKey the one that the browser has subscribed with
 * @returns what is wrong with it; undefined = nothing
 */
export const judgeSender = (authorization: string, serverKey: string, audience: string, at: Date):
string | undefined => {
  const token = /^vapid .*\bt=([\w.-]+)/.exec(authorization)?.[1]
  const key = /\bk=([\w-]+)/.exec(authorization)?.[1]
  if (token === undefined || key === undefined) return 'no vapid'
  if (key !== serverKey) return 'another key'
  const [head = '', claims = '', signature = ''] = token.split('.')
  const { alg } = JSON.parse(fromUrl(head).toString()) as { alg?: string }
  const isSigned = alg === 'ES256' && verify('sha256', Buffer.from(`${head}.${claims}`),
    { key: toKey(fromUrl(key)), dsaEncoding: 'ieee-p1363' }, fromUrl(signature))
  if (!isSigned) return 'not signed'
  const { aud, exp, sub } = JSON.parse(fromUrl(claims).toString()) as { aud?: string, exp?: number, sub?: string }
  const seconds = at.getTime() / 1_000
  if (aud !== audience) return 'another audience'
  if (typeof exp !== 'number' || exp < seconds || exp > seconds + longestSeconds) return 'expired, or for too long'
  return sub !== undefined && /^(mailto:|https:)/.test(sub) ? undefined : 'no contact'
}

/** For names that cannot be guessed. */
export const nameFor = (secret: Buffer, count: number): string =>
  createHmac('sha256', secret).update(String(count)).digest('base64url')
