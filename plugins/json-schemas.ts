import type { TSchema } from '@sinclair/typebox'
import { Ajv, type AnySchema, type Options, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'

const options: Options = { removeAdditional: false, useDefaults: true, allErrors: false, strict: false }
/** As PostgreSQL writes them; ajv's own would also take `urn:uuid:…`. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const withFormats = (ajv: Ajv) =>
  formats.default(ajv, ['date-time', 'date', 'email', 'uri', 'time', 'regex']).addFormat('uuid', uuid)

/** Text (query, path, headers) is coerced to the schema's types; JSON never is. */
export const forText = withFormats(new Ajv({ ...options, coerceTypes: 'array' }))
export const forJson = withFormats(new Ajv({ ...options, coerceTypes: false }))

/** Schemas are constants, and hundreds of routes share a few, such as that of a problem: each is copied once. */
const copies = new WeakMap<object, unknown>()

const copyWithoutIds = (schema: object): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutIds)
  const entries = Object.entries(schema).filter(([key, value]) => key !== '$id' || typeof value !== 'string')
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutIds<unknown>(value)]))
}

/** @returns the schema without its component names, which two copies of one schema may not share in a compiler */
export const withoutIds = <T>(schema: T): T => {
  if (schema === null || typeof schema !== 'object') return schema
  const copy = copies.get(schema) ?? copyWithoutIds(schema)
  copies.set(schema, copy)
  return copy as T
}

/** Arguments of tools are digested before they are checked, so checking may not fill anything in. */
const forArguments = withFormats(new Ajv({ ...options, coerceTypes: false, useDefaults: false }))

/** Compiles a schema when it is first needed: a start does not wait for a hundred that nobody asks for yet. */
export const lazily = (ajv: Ajv, schema: AnySchema) => {
  let compiled: ValidateFunction | undefined
  const validate = (data: unknown): boolean => {
    compiled ??= ajv.compile(schema)
    const fits = compiled(data)
    validate.errors = compiled.errors
    return fits
  }
  validate.errors = undefined as ValidateFunction['errors']
  return validate
}

/** Compiles a schema with the rules of a JSON body; for tool arguments, which it leaves as they are. */
export const compileJson = (schema: TSchema) => lazily(forArguments, withoutIds(schema))
