import createClient from 'openapi-fetch'
import type { components, paths } from 'openapi'
import { problemOf } from './problem'

/** The schemas of openapi.yaml by name. */
export type Schemas = components['schemas']

/** The API lies beside the page, under whatever path a proxy puts both. */
export const baseUrl = new URL('.', location.href).href.replace(/\/$/, '')

export const api = createClient<paths>({ baseUrl, credentials: 'same-origin' })

interface Answered<T> { data?: T, response: Response, error?: unknown }

/** @returns the body of a good answer. @throws Problem for any other, and for none */
export const body = async <T>(asked: Promise<Answered<T>>): Promise<NonNullable<T>> => {
  const { data, response, error } = await asked.catch((reason: unknown) => { throw problemOf(reason) })
  if (!response.ok) throw problemOf(error, response)
  // A 204 has no body; whoever asks for one of those does not look at it.
  return data as NonNullable<T>
}
