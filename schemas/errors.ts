import { Type, type Static } from '@sinclair/typebox'

export const FieldError = Type.Object({
  pointer: Type.String({ description: 'JSON pointer into the body, or /querystring/…, /params/…, /headers/…' }),
  code: Type.String(),
  message: Type.String()
}, { $id: 'FieldError' })
export type FieldError = Static<typeof FieldError>

export const Problem = Type.Object({
  type: Type.String({ description: 'A stable URI reference of this kind of problem' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  code: Type.String({ description: 'The contract: stable, one HTTP status each' }),
  request_id: Type.String(),
  errors: Type.Optional(Type.Array(FieldError))
}, { $id: 'Problem', additionalProperties: true, description: 'RFC 9457 problem details; some codes add members' })
export type Problem = Static<typeof Problem>

type Members = Record<string, unknown>

/** An error that crosses the wire: its code is the contract, its status follows from the code. */
export class ApiError extends Error {
  readonly headers: Record<string, string> = {}
  constructor (readonly code: string, readonly title: string, readonly statusCode: number,
    detail: string, readonly members: Members = {}) {
    super(detail)
    this.name = 'ApiError'
  }

  /** @returns this error with response headers, such as Retry-After. */
  withHeaders (headers: Record<string, string>): this {
    Object.assign(this.headers, headers)
    return this
  }
}

export interface ErrorDefinition {
  (detail?: string, members?: Members): ApiError
  readonly code: string
  readonly title: string
  readonly status: number
}

/** Declares one error in one line; calling the result makes the error to throw. */
export const defineError = (code: string, title: string, status: number): ErrorDefinition =>
  Object.assign((detail?: string, members?: Members) => new ApiError(code, title, status, detail ?? title, members),
    { code, title, status })

export const InvalidRequest = defineError('invalid_request', 'The request does not fit the schema', 400)
export const UnknownField = defineError('unknown_field', 'The body has a field that this operation does not know', 400)
export const UnknownParameter = defineError('unknown_parameter',
  'The query has a parameter that this operation does not know', 400)
export const MalformedRequest = defineError('malformed_request', 'The request is not valid HTTP', 400)
export const RequestTimeout = defineError('request_timeout', 'The request did not arrive in time', 408)
export const HeadersTooLarge = defineError('headers_too_large', 'The address and headers are too large', 431)
export const MalformedJson = defineError('malformed_json', 'The body is not valid JSON', 400)
export const NotUtf8 = defineError('not_utf8', 'Text must be UTF-8', 400)
export const InvalidText = defineError('invalid_text', 'Text with NUL or lone surrogates cannot be stored', 400)
export const InvalidCursor = defineError('invalid_cursor', 'The cursor is not valid for this caller and filter', 400)
export const Unauthenticated = defineError('unauthenticated', 'Credentials are missing or not valid', 401)
export const TokenExpired = defineError('token_expired', 'The token has expired', 401)
export const TokenRevoked = defineError('token_revoked', 'The token has been revoked', 401)
export const InsufficientScope = defineError('insufficient_scope', 'The token lacks the scope of this operation', 403)
export const InsufficientRole = defineError('insufficient_role', 'The role does not allow this operation', 403)
export const NotOwner = defineError('not_owner', 'Only an admin may do this with a record of another person', 403)
export const ForbiddenByPolicy = defineError('forbidden_by_policy', 'The policies of the workspace forbid this', 403)
export const ApprovalRequired = defineError('approval_required',
  'The policies of the workspace require an approval for this', 403)
export const PoliciesUnavailable = defineError('policies_unavailable',
  'What this would do cannot be read now, so the policies cannot be asked', 503)
export const AssistantToken = defineError('assistant_token',
  'A token marked for an assistant may only read, chat and propose', 403)
export const CsrfRejected = defineError('csrf_rejected', 'The request did not come from this site', 403)
export const NotFound = defineError('not_found', 'There is nothing here', 404)
export const MethodNotAllowed = defineError('method_not_allowed', 'This address does not take this method', 405)
export const NotAcceptable = defineError('not_acceptable', 'This operation cannot answer in that media type', 406)
export const IdempotencyInProgress = defineError('idempotency_in_progress',
  'The first request with this Idempotency-Key is still running, or its outcome is unknown', 409)
export const Unchanged = defineError('unchanged', 'It is already as this would leave it', 409)
export const StateChanged = defineError('state_changed', 'The state has changed since this was shown', 409)
export const TargetBusy = defineError('target_busy', 'Another change of the same target is being sent', 409)
export const PayloadTooLarge = defineError('payload_too_large', 'The body is too large', 413)
export const UnsupportedMediaType = defineError('unsupported_media_type', 'The body must be application/json', 415)
export const IdempotencyMismatch = defineError('idempotency_mismatch',
  'This Idempotency-Key was used with another body', 422)
export const RateLimited = defineError('rate_limited', 'Too many requests', 429)
export const Internal = defineError('internal', 'Something went wrong here', 500)
export const DatabaseUnavailable = defineError('database_unavailable', 'The database does not answer', 503)
export const ShuttingDown = defineError('shutting_down', 'This instance is shutting down', 503)
export const Overloaded = defineError('overloaded', 'This instance is at its limit', 503)
