import type { Static, TSchema } from '@sinclair/typebox'
import { forJson, lazily, withoutIds } from '../../../lib/openapi/json-schemas.js'

/** @returns a function that fills a valid body with the defaults of its schema, as the route does */
export const bodyReader = <T extends TSchema>(schema: T) => {
  const fill = lazily<Static<T>>(forJson, withoutIds(schema))
  return (input: object): Static<T> => {
    const body: unknown = structuredClone(input)
    // The input fits the schema; this fills in its defaults.
    if (!fill(body)) throw new Error('A body does not fit its schema')
    return body
  }
}
