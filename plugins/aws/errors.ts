import {
  AccountUnusable, AwsConflict, AwsError, AwsNotFound, AwsPermissionDenied, AwsRejected, AwsThrottled, AwsTimeout,
  AwsTooLarge, AwsUnreachable, AwsUnsupported
} from '../../schemas/cloud/errors.js'
import { ApiError, type ErrorDefinition } from '../../schemas/errors.js'

export interface Place { account_id: string, region: string, service: string, operation: string }

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
  [/^(OptInRequired|UnsupportedFeature|PlatformUnknown)/, AwsUnsupported],
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
  return status !== undefined && status >= 400 && status < 500 ? AwsRejected : AwsError
}

const definitionOf = (error: Thrown): ErrorDefinition => {
  const status = error.$metadata?.httpStatusCode
  // An answer that is not JSON (a proxy's page) carries a SyntaxError's name: its status tells more, if it is one.
  if (error.name === 'SyntaxError' || (status !== undefined && status >= 500)) {
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
export const actionOf = ({ service, operation }: Pick<Place, 'service' | 'operation'>): string =>
  `${prefixes[service] ?? service}:${operation === 'Invoke' ? 'InvokeFunction' : operation}`

const details = (define: ErrorDefinition, error: Thrown): string => {
  const said = redact(error.message ?? '')
  if (define === AwsTimeout || define === AwsUnreachable) return define.title
  if (define === AccountUnusable && /signature expired|not yet current/i.test(said)) {
    return `${said} The clock of this server may be wrong.`
  }
  if (error.name === 'SyntaxError') return define.title
  return said || define.title
}

/** @returns the SDK's error as ours (reference 3.5): never a bare 500, never AWS's 401 or 403 as the caller's */
export const toAwsError = (thrown: unknown, place: Place): ApiError => {
  if (thrown instanceof ApiError) return thrown
  const error = thrown as Thrown
  const define = definitionOf(error)
  const made = define(details(define, error), {
    account_id: place.account_id,
    region: place.region,
    aws: {
      service: place.service,
      operation: place.operation,
      code: error.code ?? error.name ?? null,
      request_id: error.$metadata?.requestId ?? null,
      http_status: error.$metadata?.httpStatusCode ?? null
    },
    ...(define === AwsPermissionDenied
      ? { missing_permission: missingPermission(error.message ?? '', actionOf(place)) }
      : {})
  })
  return define === AwsThrottled ? throttled(made, error) : made
}

const throttled = (made: ApiError, error: Thrown): ApiError => {
  const seconds = Number(error.retryAfterSeconds) || 5
  Object.assign(made.members, { retry_after: seconds, ...(error.Reason ? { reason: error.Reason } : {}) })
  return made.withHeaders({ 'retry-after': String(seconds) })
}
