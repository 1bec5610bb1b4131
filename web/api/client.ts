import createClient from 'openapi-fetch'
import type { components, paths } from 'openapi'
import { problemOf } from './problem'

/** The schemas of openapi.yaml by name. */
export type Schemas = components['schemas']

/** The API has the page's base path, which a proxy may set. */
export const baseUrl = new URL('.', location.href).href.replace(/\/$/, '')

export const api = createClient<paths>({ baseUrl, credentials: 'same-origin' })

interface Answered<T> { data?: T, response: Response, error?: unknown }

/** @returns the body of a successful response. @throws Problem for any other, or when there is none */
export const body = async <T>(pending: Promise<Answered<T>>): Promise<NonNullable<T>> => {
  const { data, response, error } = await pending.catch((reason: unknown) => { throw problemOf(reason) })
  if (!response.ok) throw problemOf(error, response)
  // A 204 has no body; its callers ignore the value.
  return data as NonNullable<T>
}
