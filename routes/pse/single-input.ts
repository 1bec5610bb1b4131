import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerError, toApiError } from '../../lib/http/problem.js'
import { ApiError, type FieldError } from '../../schemas/errors.js'

const singles = new WeakSet<FastifyRequest>()

const isSingle = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'kind' in body && !('inputs' in body)

/** An input that is the whole body is taken as a list of one. */
export const wrapSingle = async (request: FastifyRequest): Promise<void> => {
  if (!isSingle(request.body)) return
  request.body = { inputs: [request.body] }
  singles.add(request)
}

const prefix = /(?<=^|\s)\/inputs\/0(?=\/|\s|$)/

const lift = ({ code, title, statusCode, message, members, headers }: ApiError): ApiError => {
  // Where an error has places, they are these.
  const errors = members.errors as FieldError[] | undefined
  const lifted = errors?.map((one) => ({ ...one, pointer: one.pointer.replace(prefix, '') }))
  return new ApiError(code, title, statusCode, message.replace(prefix, '').trim() || title,
    { ...members, ...(lifted && { errors: lifted }) }).withHeaders(headers)
}

/** Names places as they are in the body that was sent. */
export const answerSingle = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  answerError(singles.has(request) ? lift(toApiError(error)) : error, request, reply)
