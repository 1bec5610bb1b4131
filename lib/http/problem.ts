import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isConnectionError } from '../../db/connection-errors.js'
import {
  ApiError, DatabaseUnavailable, Internal, InvalidRequest, InvalidText, MalformedJson, NotAcceptable, NotFound,
  PayloadTooLarge, RateLimited, ShuttingDown, UnknownField, UnsupportedMediaType, type ErrorDefinition, type FieldError
} from '../../schemas/errors.js'
import { explainIssue } from '../openapi/json-schemas.js'
import { textIn, codeOf } from '../../schemas/unknown.js'
import { Stopping } from '../durable/kind.js'

/** Frameworks' and drivers' own codes, mapped to ours. Whatever is not here is a 500 whose text stays in the log. */
const known: Record<string, ErrorDefinition> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: UnsupportedMediaType,
  FST_ERR_CTP_EMPTY_JSON_BODY: MalformedJson,
  FST_ERR_CTP_INVALID_JSON_BODY: MalformedJson,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: InvalidRequest,
  FST_ERR_CTP_BODY_TOO_LARGE: PayloadTooLarge,
  FST_ERR_BAD_URL: NotFound,
  FST_ERR_MAX_PARAM_LENGTH: NotFound,
  FST_ERR_NOT_FOUND: NotFound,
  FST_STATIC_FORBIDDEN_PATH: NotFound,
  FST_STATIC_INVALID_REDIRECT_URL: NotFound,
  '22003': InvalidRequest,
  '22021': InvalidText,
  '22P05': InvalidText
}

const decode = (segment: string) => segment.replaceAll('~1', '/').replaceAll('~0', '~')

const fieldErrors = (error: Partial<FastifyError>): FieldError[] => (error.validation ?? []).map((issue) => {
  const part = error.validationContext === 'body' ? '' : `/${error.validationContext}`
  const name = textIn(issue.params, 'additionalProperty') ?? textIn(issue.params, 'missingProperty')
  return {
    pointer: `${part}${issue.instancePath}${name === undefined ? '' : `/${decode(name)}`}`,
    code: issue.keyword === 'additionalProperties' ? 'unknown_field' : issue.keyword,
    message: explainIssue(issue)
  }
})

const fromValidation = (error: Partial<FastifyError>): ApiError => {
  const errors = fieldErrors(error)
  const define = errors.every((issue) => issue.code === 'unknown_field') ? UnknownField : InvalidRequest
  const first = errors[0]
  return define(first && `${first.pointer || 'the body'} ${first.message}`, { errors })
}

/** @returns the error as clients see it; anything unforeseen becomes `internal`. */
export const toApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error
  if (error instanceof Stopping) return ShuttingDown().withHeaders({ 'retry-after': '2' })
  // Whatever else is thrown is read with care: every field may be missing.
  const other: Partial<FastifyError> = Object(error)
  if (other.validation) return fromValidation(other)
  const define = other.code === undefined ? undefined : known[other.code]
  if (define) return define()
  if (isConnectionError(error)) return DatabaseUnavailable().withHeaders({ 'retry-after': '2' })
  if (other.statusCode === 400) return MalformedJson(other.message)
  if (other.statusCode === 406) return NotAcceptable()
  if (other.statusCode === 413) return PayloadTooLarge()
  if (other.statusCode === 415) return UnsupportedMediaType()
  if (other.statusCode === 429) return RateLimited()
  return Internal()
}

/** @returns the error as the body that crosses the wire */
export const problemOf = (error: ApiError, requestId: string) => ({
  type: `urn:steward:error:${error.code}`,
  title: error.title,
  status: error.statusCode,
  detail: error.message,
  code: error.code,
  request_id: requestId,
  ...error.members
})

/** Whoever repeats at once makes it worse; who knows better when to come again says so by the error's headers. */
const waits = new Set([429, 503])

export const sendProblem = (request: FastifyRequest, reply: FastifyReply, error: ApiError) => {
  reply.header('x-content-type-options', 'nosniff')
  if (waits.has(error.statusCode) && !reply.hasHeader('retry-after')) reply.header('retry-after', '5')
  if (error.statusCode === 401) reply.header('www-authenticate', 'Bearer realm="steward"')
  return reply.code(error.statusCode).headers(error.headers).type('application/problem+json')
    .serializer(JSON.stringify).send(problemOf(error, request.id))
}

/** A raw error may carry SQL and its parameters: the log gets what names it, never those. */
const summary = (error: unknown) => error instanceof Error
  ? { name: error.name, message: error.message, code: codeOf(error), stack: error.stack }
  : { message: String(error) }

/**
 * What an operation declares and throws is an upstream failure: a provider's, or that of an address which a person
 * gave. The request's own line has its code; what is left is ours, and for an operator to look at.
 */
const isDeclared = (error: unknown): boolean => error instanceof ApiError && error.statusCode !== Internal.status

/** Answers an error of a handler, or of the framework before any route was found. */
export const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
  const answer = toApiError(error)
  if (answer.statusCode >= 500 && !isDeclared(error) && !(error instanceof Stopping)) {
    request.log.error({ err: summary(error), code: answer.code }, 'request failed')
  }
  reply.header('x-error-code', answer.code)
  // Of a connection that is closed, a client that still sends reads no answer. Node takes in the rest and drops it.
  if (answer.statusCode === 413) reply.removeHeader('connection')
  return sendProblem(request, reply, answer)
}
