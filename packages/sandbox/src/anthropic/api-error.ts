import { randomBytes } from 'node:crypto'
import type { FastifyError } from 'fastify'
import { describeComplaint } from './validate/complaint.js'

const typeOfStatus: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error'
}

/** The error type that the API pairs with an HTTP status. */
export const errorType = (status: number) =>
  typeOfStatus[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')

/** An answer of the API that is not a message. */
export class ApiError extends Error {
  constructor (
    readonly status: number,
    message: string,
    readonly type = errorType(status),
    readonly headers: Record<string, string> = {}
  ) {
    super(message)
  }
}

/** 400 in the API's words. */
export const invalid = (message: string) => new ApiError(400, message)

/** The body that every error of the API has. */
export const errorBody = (type: string, message: string, requestId: string) =>
  ({ type: 'error', error: { type, message }, request_id: requestId })

/** An id like the API's: a prefix and 24 random characters. */
export const newId = (prefix: string) => `${prefix}_01${randomBytes(16).toString('base64url').replace(/[-_]/g, 'x')}`

/** @returns what was thrown while a request was answered, as the API says it */
export function asApiError (error: FastifyError | ApiError): ApiError {
  if (error instanceof ApiError) return error
  const [complaint] = error.validation ?? []
  if (complaint) return new ApiError(400, describeComplaint(complaint))
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApiError(413, 'Request exceeds the maximum size')
  const status = error.statusCode ?? 500
  return new ApiError(status, status < 500 ? error.message : 'Internal server error', errorType(status))
}
