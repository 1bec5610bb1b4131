import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { WireRequest } from './wire.js'

/** The content of the Authorization header of Signature Version 4. */
export interface Signature {
  accessKeyId: string
  date: string
  region: string
  service: string
  signedHeaders: string[]
  signature: string
}

const FORM = new RegExp('^AWS4-HMAC-SHA256 +Credential=([^/, ]+)/(\\d{8})/([^/, ]+)/([^/, ]+)/aws4_request, *' +
  'SignedHeaders=([a-z0-9;-]+), *Signature=([0-9a-f]{64})$')

/** The signature's parts, or undefined if the header has another form. */
export function parseSignature (header: string | undefined): Signature | undefined {
  const match = FORM.exec(header ?? '')
  if (!match) return undefined
  const [, accessKeyId = '', date = '', region = '', service = '', signedHeaders = '', signature = ''] = match
  return { accessKeyId, date, region, service, signedHeaders: signedHeaders.split(';'), signature }
}

/** Whether the request was signed with this secret. */
export function isSignedWith (secret: string, request: WireRequest, signature: Signature): boolean {
  const scope = `${signature.date}/${signature.region}/${signature.service}/aws4_request`
  const amzDate = headerOf(request, 'x-amz-date')
  const text = ['AWS4-HMAC-SHA256', amzDate, scope, sha256(canonicalRequest(request, signature))].join('\n')
  const expected = hmac(signingKey(secret, signature), text)
  return timingSafeEqual(expected, Buffer.from(signature.signature, 'hex'))
}

function signingKey (secret: string, { date, region, service }: Signature): Buffer {
  return [date, region, service, 'aws4_request'].reduce(hmac, Buffer.from(`AWS4${secret}`))
}

function canonicalRequest (request: WireRequest, { signedHeaders }: Signature): string {
  const [path = '/', query = ''] = request.url.split('?')
  return [
    request.method,
    // The sent path is encoded already; the canonical one is encoded once more.
    encode(path).replaceAll('%2F', '/'),
    canonicalQuery(query),
    ...signedHeaders.map((name) => `${name}:${headerOf(request, name).trim().replace(/\s+/g, ' ')}`),
    '',
    signedHeaders.join(';'),
    headerOf(request, 'x-amz-content-sha256') || sha256(request.body)
  ].join('\n')
}

function canonicalQuery (query: string): string {
  return [...new URLSearchParams(query)]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
}

function encode (text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
}

function headerOf (request: WireRequest, name: string): string {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(',') : value ?? ''
}

function hmac (key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256 (data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}
