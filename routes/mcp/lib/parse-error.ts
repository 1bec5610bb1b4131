import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerError } from '../../../lib/http/problem.js'
import { MalformedJson } from '../../../schemas/errors.js'
import { codeOf } from '../../../schemas/thrown.js'

/** JSON-RPC 2.0, 5.1: what is not JSON has no id, and a code of its own. Every other error is a problem. */
export const answerParseError = (error: Error, request: FastifyRequest, reply: FastifyReply) => {
  if (codeOf(error) !== MalformedJson.code) return answerError(error, request, reply)
  return reply.code(400).send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })
}
