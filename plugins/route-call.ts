import type { FastifyInstance } from 'fastify'
import { ApiError } from '../schemas/errors.js'
import { ticketHeader, type Principal } from './principal.js'

export interface RouteCall { method?: 'GET' | 'POST', url: string, payload?: object, key?: string }

/** Areas meet through routes: calls one of another area as the person who asks. @throws the error that it answers */
export const askRoute = async (app: Pick<FastifyInstance, 'inject' | 'tickets'>, principal: Principal,
  { method = 'GET', url, payload, key }: RouteCall): Promise<Record<string, unknown>> => {
  const ticket = app.tickets.issue({ ...principal, background: true })
  const answer = await app.inject({
    method,
    url,
    headers: { [ticketHeader]: ticket, ...(key !== undefined && { 'idempotency-key': key }) },
    ...(payload && { payload })
  })
  // Our own answers are objects.
  const body = answer.json() as Record<string, unknown>
  if (answer.statusCode < 300) return body
  const { type: _, title, status: __, detail, code, request_id: ___, ...members } = body
  throw new ApiError(String(code), String(title), answer.statusCode, String(detail), members)
}
