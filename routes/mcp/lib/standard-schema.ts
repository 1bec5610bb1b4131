import type { StandardSchemaV1 } from '@modelcontextprotocol/server'
import type { Static, TObject } from '@sinclair/typebox'
import { compileJson } from '../../../lib/openapi/json-schemas.js'

/** @returns a TypeBox schema in the form in which the protocol's SDK takes schemas (https://standardschema.dev) */
export const standardSchema = <T extends TObject>(schema: T): StandardSchemaV1<Static<T>, Static<T>> => {
  const fits = compileJson(schema)
  return {
    '~standard': {
      version: 1,
      vendor: 'steward',
      // What fits has the schema's type.
      validate: (value) => fits(value) ? { value: value as Static<T> } : { issues: issuesOf(fits.errors) }
    }
  }
}

const issuesOf = (errors: ReturnType<typeof compileJson>['errors']) =>
  (errors ?? []).map(({ instancePath, message = 'is not valid' }) => ({ message: `${instancePath} ${message}`.trim() }))
