import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SourceError } from '../../schemas/common.js'
import type { Listed } from './lib/list-containers.js'
import { slicePage } from './lib/page.js'

type Request = FastifyRequest<{
  Querystring: { cursor?: string, limit: number, account_id?: string, region?: string }
}>

export interface PartialPage<T> { items: T[], next_cursor: string | null, partial: boolean, errors: SourceError[] }

/** Answers one page of an inventory list, with the age of what it says. */
export const sendList = <T extends { id: string }>(app: FastifyInstance, request: Request, reply: FastifyReply,
  list: string, listed: Listed<T>): PartialPage<T> => {
  const { found, partial, errors, age } = listed
  const { principal, query: { cursor, limit, ...filter } } = request
  const after = cursor === undefined ? undefined : String(app.cursors.open(principal, list, filter, cursor)[0])
  const { items, last } = slicePage(found, limit, after)
  reply.header('cache-control', 'private').header('age', age)
  const next = last === undefined ? null : app.cursors.seal(principal, list, filter, [last])
  return { items, partial, errors, next_cursor: next }
}
