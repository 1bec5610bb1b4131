import { createSteward, type Schemas } from 'steward-client'
import { problemOf } from './problem'

export type { Schemas }

/** The API has the page's base path, which a proxy may set. */
export const baseUrl = new URL('.', location.href).href.replace(/\/$/, '')

/** A page says at once what failed, and a person tries again. */
export const { api, send } = createSteward({ baseUrl, credentials: 'same-origin', retries: 0 })

interface Answered<T> { data?: T, response: Response, error?: unknown }

/** @returns the body of a successful response. @throws Problem for any other, or when there is none */
export const body = async <T>(pending: Promise<Answered<T>>): Promise<NonNullable<T>> => {
  const { data, response, error } = await pending.catch((reason: unknown) => { throw problemOf(reason) })
  if (!response.ok) throw problemOf(error, response)
  // A 204 has no body; its callers ignore the value.
  return data as NonNullable<T>
}
