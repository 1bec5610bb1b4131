import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SourceError } from '../../schemas/common.js'
import type { Listed } from './lib/list-containers.js'
import { slicePage } from './lib/page.js'

type Request = FastifyRequest<{
  Querystring: { cursor?: string, limit: number, account_id?: string, region?: string }
}>

export interface PartialPage<T> { items: T[], next_cursor: string | null, partial: boolean, errors: SourceError[] }

/** What stands around the items, with room for a cursor. */
const envelopeBytes = (errors: SourceError[]): number => 1_500 + Buffer.byteLength(JSON.stringify(errors))

/** Answers one page of an inventory list, with the age of what it says. */
export const sendList = <T extends { id: string }>(app: FastifyInstance, request: Request, reply: FastifyReply,
  list: string, listed: Listed<T>): PartialPage<T> => {
  const { found, partial, errors, age } = listed
  const { principal, query: { cursor, limit, ...filter } } = request
  const after = cursor === undefined ? undefined : String(app.cursors.decode(principal, list, filter, cursor)[0])
  // What the model gets is cut beyond this: a shorter page, with its cursor, loses nothing.
  const isForModel = principal.via === 'assistant' || principal.assistant === true
  const maxBytes = isForModel ? app.config.limits.result_model_bytes - envelopeBytes(errors) : Infinity
  const { items, last } = slicePage(found, limit, after, maxBytes)
  reply.header('cache-control', 'private').header('age', age)
  const next = last === undefined ? null : app.cursors.encode(principal, list, filter, [last])
  return { items, partial, errors, next_cursor: next }
}
