import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerError } from '../../../lib/http/problem.js'
import { MalformedJson, NotUtf8 } from '../../../schemas/errors.js'
import { codeOf } from '../../../schemas/thrown.js'

const notJson = new Set<unknown>([MalformedJson.code, NotUtf8.code])

/** JSON-RPC 2.0, 5.1: what is not JSON has no id, and a code of its own. Every other error is a problem. */
export const answerParseError = (error: Error, request: FastifyRequest, reply: FastifyReply) => {
  if (!notJson.has(codeOf(error))) return answerError(error, request, reply)
  return reply.code(400).send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })
}
