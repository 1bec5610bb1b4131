import type { Call } from '../core/operation.js'
import type { Fault } from './faults.js'
import type { Outcome } from './respond.js'

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Outcome => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: Buffer.from(JSON.stringify(body))
})

const afterOf = ({ retry_after }: Fault): Record<string, string> =>
  retry_after === undefined ? {} : { 'retry-after': String(retry_after) }

const secondary = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'

function primaryLimit ({ sandbox, user }: Call, { retry_after }: Fault): Outcome {
  const reset = Math.ceil(sandbox.world.clock.now() / 1000) + (retry_after ?? 600)
  return json(403, { message: `API rate limit exceeded for user ID ${user?.id ?? 0}.`, status: '403' }, {
    'x-ratelimit-limit': '5000',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-used': '5000',
    'x-ratelimit-reset': String(reset),
    'x-ratelimit-resource': 'core'
  })
}

/** @returns the replacement of the operation's response; undefined = the fault only changes the response */
export function spoil (call: Call, fault: Fault): Outcome | undefined {
  switch (fault.kind) {
    case 'rate_limit': return primaryLimit(call, fault)
    case 'secondary_limit': return json(403, { message: secondary, status: '403' }, afterOf(fault))
    case 'throttle': return json(429, { message: secondary, status: '429' }, afterOf(fault))
    case 'unauthorized': return json(401, { message: 'Bad credentials', status: '401' })
    case 'forbidden': return json(403, { message: 'Resource not accessible by integration', status: '403' })
    case 'not_found': return json(404, { message: 'Not Found', status: '404' })
    case 'error_500': return json(500, { message: fault.message ?? 'Server Error' })
    case 'error_502': return {
      status: 502, headers: { 'content-type': 'text/html' }, body: Buffer.from('<html><title>Unicorn!</title></html>')
    }
    case 'error': return json(fault.status ?? 500, { message: fault.message ?? 'Error', ...fault.body }, fault.headers)
    case 'redirect': return json(301, { message: 'Moved Permanently', url: fault.url }, { location: fault.url ?? '/' })
    case 'huge': return json(200, ['x'.repeat(fault.bytes ?? 40_000_000)])
    case 'hang': return { silence: 'hang', afterMs: fault.delay_ms }
    case 'drop': return { silence: 'drop' }
    default: return undefined
  }
}

/** @returns the operation's own response, changed by the fault */
export function spoilt (outcome: Outcome, fault: Fault | undefined): Outcome {
  if (!fault || 'silence' in outcome) return outcome
  const { headers, body } = outcome
  if (fault.kind === 'slow') return { ...outcome, delayMs: fault.delay_ms ?? 1000 }
  if (fault.kind === 'cut') return { ...outcome, cutAfter: Math.floor(body.length / 2) }
  if (fault.kind === 'bad_json') return { ...outcome, body: Buffer.concat([body.subarray(0, -1), Buffer.from(',,')]) }
  if (fault.kind === 'headers') return { ...outcome, headers: { ...headers, ...fault.headers } }
  if (fault.kind === 'foreign_next') {
    return { ...outcome, headers: { ...headers, link: `<${fault.url ?? 'http://127.0.0.1:1/evil'}>; rel="next"` } }
  }
  return outcome
}
