import type { Answer } from '../../../lib/codehost/client.js'
import { ApiError, InvalidRequest } from '../../../schemas/errors.js'
import { CodehostBadResponse } from './access.js'

/** Whether some of it is an earlier answer, because of a limit, and of when. */
export interface Staleness { stale: boolean, as_of: Date | null }

type Aged = Pick<Answer<unknown>, 'staleSince'>

/** @returns the staleness of a result that combines these answers: that of the oldest */
export const stalenessOf = (...answers: Aged[]): Staleness => {
  const times = answers.flatMap(({ staleSince }) => staleSince ? [staleSince.getTime()] : [])
  return times.length > 0 ? { stale: true, as_of: new Date(Math.min(...times)) } : { stale: false, as_of: null }
}

export const isCode = (error: unknown, code: string): boolean => error instanceof ApiError && error.code === code

/** @returns a parameter's time in UTC. @throws invalid_request for an invalid time, such as a leap second */
export const toUtc = (name: string, text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const time = Date.parse(text)
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  const message = 'is not a moment'
  throw InvalidRequest(`/querystring/${name} ${message}`,
    { errors: [{ pointer: `/querystring/${name}`, code: 'format', message }] })
}

/** @returns the host's time in UTC; null when it has no valid one */
export const toTime = (text: string | null | undefined): Date | null => {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? null : new Date(time)
}

/** 2200-01-01: a later time is not valid. */
const lastSecond = 7_258_118_400

/** @returns the host's time, as text or in seconds, in UTC; null when it has no valid one */
export const toMoment = (value: string | number | null | undefined): Date | null => {
  if (typeof value !== 'number') return toTime(value)
  return value >= 0 && value <= lastSecond ? new Date(value * 1_000) : null
}

/** @returns the host's time. @throws codehost_bad_response when there is no valid one */
export const parseTime = (text: string | null | undefined): Date => {
  const time = toTime(text)
  if (!time) throw CodehostBadResponse()
  return time
}

/** @returns the id of a person or organisation; null for an unknown one, whose id may be below 1 */
export const toAccountId = (account: { id?: number | null } | null | undefined): string | null =>
  account?.id && account.id > 0 ? String(account.id) : null

/** @returns the first bytes of a text, whole characters only, and whether there were more */
export const cutText = (text: string, maxBytes: number): { text: string, cut: boolean } => {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return { text, cut: false }
  return { text: bytes.subarray(0, maxBytes).toString('utf8').replace(/(?<!\uFFFD)\uFFFD+$/, ''), cut: true }
}

/** @returns the text without what PostgreSQL cannot store */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()
