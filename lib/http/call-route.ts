import type { Static, TSchema } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { ApiError, ShuttingDown } from '../../schemas/errors.js'
import { codeOf } from '../../schemas/unknown.js'
import { Stopping } from '../durable/kind.js'
import { ticketHeader, type Principal } from '../security/principal.js'

type Callable = Pick<FastifyInstance, 'inject' | 'tickets'>

export interface RouteCall {
  method?: string
  url: string
  payload?: object
  /** An Idempotency-Key. */
  key?: string | undefined
  ifMatch?: string | undefined
}

/** `body` is null where the route answered none. */
export interface RouteAnswer { status: number, body: Record<string, unknown> }

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What Fastify says of a call once the server has begun to close. */
const closed = 'FST_ERR_REOPENED_CLOSE_SERVER'

/**
 * Areas meet through routes: calls one as the principal, with that person's rights of now.
 * Never throws for an answer of the route, whatever its status.
 * @throws Stopping when this process stops: that is no answer, so whoever goes on elsewhere calls again
 */
export const callRoute = async (app: Callable, principal: Principal,
  { method = 'GET', url, payload, key, ifMatch }: RouteCall): Promise<RouteAnswer> => {
  const called = async () => app.inject({
    method: method as 'GET', // inject knows the methods as literals; a route's own is a string.
    url,
    headers: {
      [ticketHeader]: app.tickets.issue(principal),
      ...(key && { 'idempotency-key': key }),
      ...(ifMatch && { 'if-match': ifMatch })
    },
    ...(payload && { payload })
  })
  const { statusCode, payload: text } = await called().catch((error: unknown) => {
    throw codeOf(error) === closed ? new Stopping() : error
  })
  // Our own answers are objects, or nothing.
  const body = (text === '' ? null : parse(text)) as Record<string, unknown>
  if (statusCode === 503 && body.code === ShuttingDown.code) throw new Stopping()
  return { status: statusCode, body }
}

/** @returns the error that the route answered, as it is */
export const errorOf = ({ status, body }: RouteAnswer): ApiError => {
  const { type, title, status: _, detail, code, request_id, ...members } = body
  return new ApiError(String(code), String(title), status, String(detail), members)
}

/** @returns the body of a success, by the schema of the route's answer. @throws the error that it answers */
export const bodyOf = <T extends TSchema>(answer: RouteAnswer, _schema: T): Static<T> => {
  if (answer.status >= 300) throw errorOf(answer)
  // The schema is the route's own, and its serializer wrote the answer by it: to check it again would find nothing.
  return answer.body as Static<T>
}

/** Calls a route of which only success is of use; the person's quota is not touched. @throws the error it answers */
export const readRoute = async <T extends TSchema>(app: Callable, principal: Principal, call: RouteCall, schema: T) =>
  bodyOf(await callRoute(app, { ...principal, background: true }, call), schema)
