import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsError } from '../core/errors.js'
import { authorize, denied, type Call, type Operation } from '../core/operation.js'
import { regionOf, type Account, type Credential } from '../core/world.js'
import type { Sandbox } from '../sandbox.js'
import type { ServiceEntry } from './catalog.js'
import type { Fault } from './faults.js'
import type { Outcome, WireAnswer, WireRequest } from '../../wire.js'
import { expiredToken, identify } from './identity.js'
import type { JournalEntry } from './journal.js'
import { requireSignature, parseRequest, serviceOf, type ServiceRequest } from './request.js'
import { renderError, renderResult } from './respond.js'

const JOURNAL_TEXT = 10_000
const HTML_503 =
  '<html><head><title>503 Service Temporarily Unavailable</title></head>' +
  '<body><center><h1>503 Service Temporarily Unavailable</h1></center></body></html>'

/** Answers one AWS request. */
export async function dispatch (sandbox: Sandbox, request: WireRequest): Promise<Outcome> {
  const requestId = randomUUID()
  const service = serviceOf(request)
  const noted: { entry?: JournalEntry } = {}
  try {
    const signature = requireSignature(request)
    const parsed = { service, signature, ...parseRequest(service, request) }
    noted.entry = note(sandbox, parsed, requestId)
    const outcome = await perform(sandbox, request, parsed, noted.entry)
    if ('status' in outcome) noted.entry.status = outcome.status
    return outcome
  } catch (error) {
    return refuse(service, asAwsError(error, service), requestId, noted.entry)
  }
}

async function perform (
  sandbox: Sandbox,
  request: WireRequest,
  parsed: ServiceRequest,
  entry: JournalEntry
): Promise<Outcome> {
  const { world } = sandbox
  world.clock.settle()
  const caller = identify(world, request, parsed.signature)
  entry.account_id = caller.accountId
  entry.session = sessionOf(caller)
  const operation = parsed.service.operations[parsed.operation]
  if (!operation) throw new AwsError('UnknownOperationException', `The sandbox does not know ${parsed.operation}.`)
  const fault = sandbox.faults.take(subjectOf(parsed, caller))
  entry.fault = fault?.kind ?? null
  const call = makeCall(sandbox, parsed, caller, { fault, requestId: entry.request_id })
  if (fault && !fault.executed) {
    const spoilt = await spoil(fault, parsed.service, operation, call)
    if (spoilt) return spoilt
  }
  const answer = await execute(parsed, operation, call, entry)
  if (sandbox.journal.keepsAnswers) entry.answer = contentOf(answer)
  return (fault?.executed && (await spoil(fault, parsed.service, operation, call))) || answer
}

async function execute (
  { service, operation: name }: ServiceRequest,
  operation: Operation,
  call: Call<never>,
  entry: JournalEntry
): Promise<WireAnswer> {
  if (operation.checked) authorize(call, operation.action, operation.resource(call))
  const result = await operation.run(call)
  entry.executed = true
  return renderResult(service, name, result, call.requestId)
}

/** The effect of a fault that replaces the response; undefined for kinds that let the response through. */
async function spoil (
  fault: Fault,
  service: ServiceEntry,
  operation: Operation,
  call: Call<never>
): Promise<Outcome | undefined> {
  switch (fault.kind) {
    case 'throttle':
      throw throttled(service)
    case 'access_denied':
      throw denied(call.caller.arn, operation.action, operation.resource(call), 'identity_policy')
    case 'expired_token':
      throw expiredToken()
    case 'error_500':
      throw failure(service)
    case 'error':
      throw new AwsError(fault.code ?? 'ClientException', fault.message ?? '', fault.status ?? 400)
    case 'html_503':
      return { status: 503, headers: { 'content-type': 'text/html' }, body: HTML_503 }
    case 'hang':
      return { silence: 'hang', afterMs: fault.delay_ms }
    case 'drop':
      return { silence: 'drop' }
    case 'slow':
      return await delay(fault.delay_ms ?? 2000, undefined)
    case 'stale':
      return undefined
  }
}

function contentOf ({ body }: WireAnswer): unknown {
  try {
    return JSON.parse(String(body)) as unknown
  } catch {
    return null
  }
}

function makeCall (
  { world }: Sandbox,
  { signature, input }: ServiceRequest,
  caller: Credential,
  { fault, requestId }: { fault: Fault | undefined; requestId: string }
): Call<never> {
  const account = accountOf(fault?.snapshot ?? world.accounts, caller.accountId)
  const region = regionOf(account, signature.region)
  // Only `operation()` knows the operation's type of input.
  return { world, account, region, caller, input: input as never, now: world.clock.now(), requestId }
}

function accountOf (accounts: Map<string, Account>, id: string): Account {
  const account = accounts.get(id)
  if (!account) throw new AwsError('UnrecognizedClientException', `The sandbox has no account ${id}.`)
  return account
}

function note ({ journal, world }: Sandbox, parsed: ServiceRequest, requestId: string): JournalEntry {
  const { service, operation, signature, input } = parsed
  return journal.add({
    at: new Date(world.clock.now()).toISOString(),
    service: service.name,
    operation,
    account_id: null,
    region: signature.region,
    access_key_id: signature.accessKeyId,
    session: null,
    params: shortened(input),
    request_id: requestId
  })
}

/** As CloudTrail shows it with every call of the session. */
function sessionOf ({ session }: Credential): JournalEntry['session'] {
  return session ? { name: session.name, source_identity: session.sourceIdentity, tags: session.tags } : null
}

/** The journal does not keep large payloads. */
function shortened (input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) =>
    [name, typeof value === 'string' && value.length > JOURNAL_TEXT ? `${value.slice(0, JOURNAL_TEXT)}…` : value]))
}

function subjectOf ({ service, operation, signature, input }: ServiceRequest, caller: Credential) {
  const text = () => [caller.accountId, signature.region, signature.accessKeyId, JSON.stringify(input)].join(' ')
  return { service: service.name, operation, text }
}

function refuse (
  service: ServiceEntry,
  error: AwsError,
  requestId: string,
  entry: JournalEntry | undefined
): WireAnswer {
  const id = entry?.request_id ?? requestId
  const answer = renderError(service, error, id)
  if (entry) {
    entry.status = answer.status
    entry.error = error.code
  }
  return answer
}

function asAwsError (error: unknown, service: ServiceEntry): AwsError {
  if (error instanceof AwsError) return error
  const [code, status] = service.codes.failed
  return new AwsError(code, `The sandbox failed: ${error instanceof Error ? error.stack : String(error)}`, status)
}

function throttled (service: ServiceEntry): AwsError {
  const [code, status] = service.codes.throttled
  if (status !== 429) return new AwsError(code, 'Rate exceeded', status)
  const extra = { fields: { Reason: 'CallerRateLimitExceeded' }, headers: { 'retry-after': '1' } }
  return new AwsError(code, 'Rate Exceeded.', status, extra)
}

function failure (service: ServiceEntry): AwsError {
  const [code, status] = service.codes.failed
  return new AwsError(code, 'Service Unavailable. Please try again later.', status)
}
