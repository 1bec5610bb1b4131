import {
  AccountUnusable, AwsConflict, AwsError, AwsKeyDenied, AwsNotEnabled, AwsNotFound, AwsOutcomeUnknown,
  AwsPermissionDenied, AwsRejected,
  AwsThrottled, AwsTimeout, AwsTooLarge, AwsUnreachable, AwsUnsupported
} from '../../schemas/cloud/errors.js'
import { ApiError, type ErrorDefinition } from '../../schemas/errors.js'
import { isNeverSent } from '../outbound/errors.js'
import { isNotStarted } from './not-started.js'
import { isRead } from './operations.js'
import { textIn } from '../../schemas/unknown.js'

export interface AwsCall { account_id: string, region: string, service: string, operation: string }

/** What the SDK throws, read with care: every field may be missing. */
interface Thrown {
  name?: string
  message?: string
  code?: string
  Reason?: string
  retryAfterSeconds?: string
  $metadata?: { httpStatusCode?: number, requestId?: string }
}

const names: [RegExp, ErrorDefinition][] = [
  [/^(AccessDenied|UnauthorizedOperation|NotAuthorized)/, AwsPermissionDenied],
  [/^(ExpiredToken|InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch|InvalidSignature)/, AccountUnusable],
  [/^(IncompleteSignature|MissingAuthenticationToken|CredentialsProviderError|RequestExpired)/, AccountUnusable],
  [/^(OptInRequired|UnsupportedFeature|PlatformUnknown|UnknownOperation|UnsupportedOperation|InvalidAction|NotImplemented)/,
    AwsUnsupported],
  [/^(Throttl|TooManyRequests|RequestLimitExceeded|LimitExceeded|RequestThrottled|PriorRequestNotComplete)/, AwsThrottled],
  [/^(ServiceNotActive|ResourceConflict|ResourceInUse|PreconditionFailed|Conflict|UpdateInProgress|ResourceNotReady)/,
    AwsConflict],
  [/^(ConcurrentUpdate|OperationAborted)/, AwsConflict],
  [/^(RequestTooLarge|SerializedRequestEntityTooLarge|RequestEntityTooLarge)/, AwsTooLarge],
  [/NotFound(Exception)?$/, AwsNotFound],
  [/^(InvalidParameter|Validation|ClientException|InvalidRequestContent|InvalidParameterValue|InvalidNextToken)/, AwsRejected],
  [/^(MissingParameter|SerializationException|InvalidZipFile|ObjectNotFound|InvalidRequest|KMS|Unsupported)/, AwsRejected],
  [/^(TimeoutError|AbortError|RequestTimeout)/, AwsTimeout]
]

const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EPIPE', 'EHOSTUNREACH',
  'ENETUNREACH', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'EPROTO',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'])

const byStatus = (status: number | undefined): ErrorDefinition => {
  if (status === 403) return AwsPermissionDenied
  if (status === 404) return AwsNotFound
  if (status === 409) return AwsConflict
  if (status === 413) return AwsTooLarge
  if (status === 429 || status === 503) return AwsThrottled
  if (status === 501) return AwsUnsupported
  return status !== undefined && status >= 400 && status < 500 ? AwsRejected : AwsError
}

/** What an endpoint that lacks a service, or an operation of it, answers with a page. */
const lacking = new Set([400, 404, 405, 501])

/** A refusal of AWS that no policy of the role lifts: the account has not switched the service on. */
const isNotEnabled = ({ name, message }: Thrown): boolean =>
  /^AccessDenied/.test(name ?? '') && /\bnot enabled for\b/i.test(message ?? '')

/** The key's own policy decides; what IAM lacks is named as the action kms:…. */
const isKeyDenied = ({ name, message = '' }: Thrown): boolean => /^KMS/.test(name ?? '') ||
  (/^AccessDenied/.test(name ?? '') && /\bkms\b/i.test(message) &&
    !/not authorized to perform: (?!kms:)[\w-]+:/i.test(message))

const definitionOf = (error: Thrown): ErrorDefinition => {
  const status = error.$metadata?.httpStatusCode
  if (isNotEnabled(error)) return AwsNotEnabled
  if (isKeyDenied(error)) return AwsKeyDenied
  if (isNotStarted(error)) return AwsRejected
  // An answer that is not JSON (a proxy's page) carries a SyntaxError's name: its status is more precise, if it is one.
  if (error.name === 'SyntaxError' || (status !== undefined && status >= 500)) {
    if (status === 501 || (error.name === 'SyntaxError' && lacking.has(status ?? 0))) return AwsUnsupported
    return status === 429 || /^Throttl/.test(error.name ?? '') ? AwsThrottled : AwsError
  }
  if (unreachable.has(error.code ?? '') || unreachable.has(error.name ?? '')) return AwsUnreachable
  if (error.name === 'ClientException' && /unable to describe task definition/i.test(error.message ?? '')) return AwsNotFound
  const found = names.find(([pattern]) => pattern.test(error.name ?? ''))
  return found ? found[1] : byStatus(status)
}

const secrets = /\b(AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,}\b/g

/** AWS's own words without key ids and tokens, and not endlessly long. */
export const redact = (text: string): string => text.replace(secrets, '$1…').slice(0, 1_000)

const causes: [RegExp, string][] = [
  [/service control policy/i, 'scp'],
  [/permissions boundary/i, 'boundary'],
  [/session policy/i, 'session_policy'],
  [/explicit deny/i, 'explicit_deny'],
  [/identity-based policy/i, 'identity_policy']
]

export interface MissingPermission { action: string, resource: string | null, cause: string }

/** @returns what a refusal names: `… is not authorized to perform: <action> on resource: <resource> because …` */
export const missingPermission = (message: string, fallback: string): MissingPermission => {
  const match = /not authorized to perform: ([\w-]+:\w+)(?: on resource: (\S+))?/.exec(message)
  const cause = causes.find(([pattern]) => pattern.test(message))?.[1] ?? 'unknown'
  return { action: match?.[1] ?? fallback, resource: match?.[2] ?? null, cause }
}

const prefixes: Record<string, string> = { costs: 'ce', autoscaling: 'application-autoscaling' }

/** @returns the action as IAM names it; only Lambda's differ from the operation's name */
export const actionOf = ({ service, operation }: Pick<AwsCall, 'service' | 'operation'>): string =>
  `${prefixes[service] ?? service}:${operation === 'Invoke' ? 'InvokeFunction' : operation}`

/** @returns whether a write may have been carried out although no answer to it came */
const isUnclear = (define: ErrorDefinition, error: Thrown, { operation }: AwsCall): boolean =>
  !isRead(operation) && (define === AwsTimeout || define === AwsUnreachable) && !isNeverSent(error)

const pageDetail = (define: ErrorDefinition, { $metadata }: Thrown, call: AwsCall): string => {
  const status = $metadata?.httpStatusCode
  const what = `${actionOf(call)} in ${call.region} was answered with a page, not as AWS answers` +
    (status === undefined ? '' : ` (HTTP ${status})`)
  return define === AwsUnsupported
    ? `${what}: the endpoint lacks it. Look at AWS_ENDPOINT_URL`
    : `${what}: a proxy may stand before AWS. Look at AWS_ENDPOINT_URL and at the network`
}

const details = (define: ErrorDefinition, error: Thrown, call: AwsCall): string => {
  const message = redact(error.message ?? '')
  const action = actionOf(call)
  if (define === AwsOutcomeUnknown) {
    return `${action} was sent to ${call.region}, and no answer came: it may have been done. ` +
      'Read what it changes before sending it again'
  }
  if (define === AwsTimeout) return `AWS did not answer ${action} in ${call.region} in time; ask again`
  if (define === AwsUnreachable) return `AWS could not be reached for ${action} in ${call.region}; nothing was done`
  if (define === AccountUnusable && /signature expired|not yet current/i.test(message)) {
    return `${message} The clock of this server may be wrong.`
  }
  if (define === AwsNotEnabled) {
    return `${message} The account has to switch it on in AWS, as its management account for Cost Explorer: no ` +
      'policy of the role changes that'
  }
  if (define === AwsKeyDenied) {
    return `${message} A KMS key of the resource decides this: look at its state and at its key policy`
  }
  if (error.name === 'SyntaxError') return pageDetail(define, error, call)
  return message || define.title
}

/** @returns the code and request id of AWS within an error of ours */
export const awsDetailOf = ({ members: { aws } }: ApiError) =>
  ({ code: textIn(aws, 'code'), request_id: textIn(aws, 'request_id') })

/** @returns the SDK's error as ours (reference 3.5): never a bare 500, never AWS's 401 or 403 as the caller's */
export const toAwsError = (thrown: unknown, call: AwsCall): ApiError => {
  if (thrown instanceof ApiError) return thrown
  const error: Thrown = Object(thrown)
  const first = definitionOf(error)
  const define = isUnclear(first, error, call) ? AwsOutcomeUnknown : first
  const made = define(details(define, error, call), {
    account_id: call.account_id,
    region: call.region,
    aws: {
      service: call.service,
      operation: call.operation,
      // A parser's word is none of AWS.
      code: error.name === 'SyntaxError' ? null : error.code ?? error.name ?? null,
      request_id: error.$metadata?.requestId ?? null,
      http_status: error.$metadata?.httpStatusCode ?? null
    },
    ...(define === AwsPermissionDenied
      ? { missing_permission: missingPermission(error.message ?? '', actionOf(call)) }
      : {})
  })
  return define === AwsThrottled ? throttled(made, error) : made
}

const throttled = (made: ApiError, error: Thrown): ApiError => {
  const seconds = Number(error.retryAfterSeconds) || 5
  Object.assign(made.members, { retry_after: seconds, ...(error.Reason ? { reason: error.Reason } : {}) })
  return made.withHeaders({ 'retry-after': String(seconds) })
}
