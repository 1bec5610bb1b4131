import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { HeadersTooLarge, MalformedRequest, RequestTimeout, type ApiError } from '../../schemas/errors.js'
import { problemOf } from './problem.js'

/** @param code Node's, of what its parser could not read */
const toClientError = (code: string | undefined): ApiError => {
  if (code === 'HPE_HEADER_OVERFLOW') return HeadersTooLarge('Send fewer or shorter headers, or a shorter address')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return RequestTimeout()
  return MalformedRequest()
}

const headersOf = (body: string) => ({
  'content-type': 'application/problem+json',
  'content-length': Buffer.byteLength(body),
  'x-content-type-options': 'nosniff',
  connection: 'close'
})

/** Answers what became no request, in the same form as every error; then nothing else is read of the connection. */
export function answerClientError (this: FastifyInstance, { code }: { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return
  const error = toClientError(code)
  const requestId = randomUUID()
  this.log.info({ request_id: requestId, status: error.statusCode, reason: code }, 'not a request')
  const body = JSON.stringify(problemOf(error, requestId))
  const head = Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}`).join('\r\n')
  const status = `HTTP/1.1 ${error.statusCode} ${STATUS_CODES[error.statusCode] ?? ''}`
  if (socket.writable) socket.write(`${status}\r\n${head}\r\n\r\n${body}`)
  socket.destroySoon()
}

/** An expectation other than 100-continue is ignored, as RFC 9110 (10.1.1) allows: Node would answer without a body. */
export const ignoreExpectations = ({ server, routing }: FastifyInstance): void => {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => { routing(request, response) })
}
