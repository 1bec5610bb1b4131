import type { Static, TSchema } from '@sinclair/typebox'
import { Ajv, type AnySchema, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { decideUnions } from './json-unions.js'
import { fieldsOf } from '../../schemas/unknown.js'

/** Verbose: an error carries the schema that refused, whose description explains more than its pattern. */
const options: Options = {
  removeAdditional: false, useDefaults: true, allErrors: false, strict: false, verbose: true, discriminator: true
}
/** As PostgreSQL writes them; ajv's own would also take `urn:uuid:…`. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const withFormats = (ajv: Ajv) =>
  formats.default(ajv, ['date-time', 'date', 'email', 'uri', 'time', 'regex']).addFormat('uuid', uuid)

/** Text (query, path, headers) is coerced to the schema's types; JSON never is. */
export const forText = withFormats(new Ajv({ ...options, coerceTypes: 'array' }))
export const forJson = withFormats(new Ajv({ ...options, coerceTypes: false }))

/** @returns what is wrong, in words: a pattern is no help to people, and a list that is not shown is none either */
export const explainIssue = ({ keyword, params, parentSchema, message = 'is not valid' }:
Pick<ErrorObject, 'keyword' | 'params' | 'parentSchema' | 'message'>): string => {
  const words: unknown = parentSchema?.description
  if (keyword === 'pattern' && typeof words === 'string') return `does not fit. It takes: ${words}`
  // The parameters of `enum` are its values.
  const { allowedValues: values } = fieldsOf(params)
  if (keyword === 'enum' && Array.isArray(values)) return `must be one of ${values.join(', ')}`
  return message
}

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

/** Says whether a value fits, and after a call what is wrong with it. */
export interface Validator<T> { (data: unknown): data is T, errors: ErrorObject[] | null | undefined }

/** Schemas with their unions decided, which ajv knows again by themselves: routes share some. */
const decided = new WeakMap<object, AnySchema>()

const decide = (schema: AnySchema): AnySchema => {
  if (typeof schema !== 'object') return schema
  const known = decided.get(schema) ?? decideUnions(schema)
  decided.set(schema, known)
  return known
}

/** Compiles a schema when it is first needed: a start does not wait for a hundred that no request uses yet. */
export const lazily = <T>(ajv: Ajv, schema: AnySchema): Validator<T> => {
  let compiled: ValidateFunction | undefined
  const validate: Validator<T> = Object.assign((data: unknown): data is T => {
    compiled ??= ajv.compile(ajv === forText ? schema : decide(schema))
    const fits = compiled(data)
    validate.errors = compiled.errors
    return fits
  }, { errors: undefined })
  return validate
}

/** Compiles a schema with the rules of a JSON body; for tool arguments, which it leaves as they are. */
export const compileJson = <S extends object>(schema: S) =>
  lazily<S extends TSchema ? Static<S> : unknown>(forArguments, withoutIds(schema))
