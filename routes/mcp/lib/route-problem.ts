import type { Answer } from '../../../plugins/tools.js'
import { fieldsOf, textIn } from '../../../schemas/unknown.js'

/** A route that could not answer now, such as for the rate or an outage: an error of the protocol, not of the name. */
export class RouteProblem extends Error {
  /** What a client, or whoever it asks for help, finds the failure by. */
  readonly data: Record<string, unknown>

  constructor (body: unknown) {
    super(textIn(body, 'detail') ?? 'The request failed')
    this.name = 'RouteProblem'
    const { status, code, request_id } = fieldsOf(body)
    this.data = { status, code, request_id }
  }
}

const unavailable: readonly number[] = [400, 403, 404, 410]

/**
 * @returns the body; undefined for what is not there, or not for this token: the two look alike
 * @throws RouteProblem
 */
export const requireAnswered = ({ status, body }: Answer): unknown => {
  if (status < 300) return body
  if (unavailable.includes(status)) return undefined
  throw new RouteProblem(body)
}
