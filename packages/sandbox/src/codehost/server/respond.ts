import { createHash } from 'node:crypto'
import type { Answer, Call, Operation } from '../core/operation.js'

export type Outcome =
  { status: number, headers: Record<string, string>, body: Buffer, delayMs?: number, cutAfter?: number } |
  { silence: 'hang' | 'drop', afterMs?: number | undefined }

const asJson = (body: unknown): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))

/** Adds the common parts of every response: limits, ETag and 304. */
export function finish (call: Call, operation: Operation | undefined, { status, body, headers = {} }: Answer): Outcome {
  const { sandbox, method, user, origin } = call
  const content = body === undefined ? Buffer.alloc(0) : asJson(body)
  const all: Record<string, string> = {
    'content-type': typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    'x-github-request-id': sandbox.random(16),
    ...(call.token && { 'x-oauth-scopes': call.token.scopes.join(', ') })
  }
  const isApi = operation !== undefined && operation.auth !== 'none'
  const etag = `W/"${createHash('sha256').update(call.headers.accept ?? '').update(user?.login ?? '')
    .update(content).digest('hex')}"`
  const isSame = isApi && status === 200 && (method === 'GET' || method === 'HEAD') &&
    call.headers['if-none-match']?.split(/, */).includes(etag)
  if (isApi && sandbox.settings.rate_limits) Object.assign(all, count(call, operation, !isSame))
  if (isApi && status === 200 && method !== 'POST') {
    all.etag = etag
    all['cache-control'] = 'private, max-age=60, s-maxage=60'
    all.vary = 'Accept, Authorization, Cookie, X-GitHub-OTP'
  }
  const sent = Object.fromEntries(Object.entries({ ...all, ...headers })
    .map(([name, value]) => [name, value.replaceAll('{origin}', origin)]))
  if (isSame) return { status: 304, headers: sent, body: Buffer.alloc(0) }
  return { status, headers: sent, body: content }
}

function count ({ sandbox, user }: Call, { resource }: Operation, counts: boolean): Record<string, string> {
  const now = sandbox.world.clock.now()
  const who = user?.login ?? ''
  if (counts) sandbox.limits.bucket(who, resource, now).used++
  return sandbox.limits.headers(who, resource, now, sandbox.settings.limit)
}
