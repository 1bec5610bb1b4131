import type { Static, TSchema } from '@sinclair/typebox'
import { Ajv, type AnySchema, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { fieldsOf, isObject, textIn } from '../../schemas/unknown.js'

type Json = Record<string, unknown>

interface Branch { type?: unknown, properties?: Record<string, { const?: unknown }>, required?: string[] }

const wordOf = ({ properties, required }: Branch, name: string): string | undefined => {
  const word = properties?.[name]?.const
  return typeof word === 'string' && required?.includes(name) ? word : undefined
}

/** @returns the property whose word names the branch, each another, and those words; undefined = there is none */
const findDiscriminator = (branches: Branch[]): { name: string, words: string[] } | undefined => {
  for (const name of Object.keys(branches[0]?.properties ?? {})) {
    const words = branches.flatMap((branch) => wordOf(branch, name) ?? [])
    if (words.length === branches.length && new Set(words).size === words.length) return { name, words }
  }
  return undefined
}

/** @returns what may be null as a schema of two types: its errors are then those of the other one */
const asNullable = ({ anyOf, ...rest }: Json, branches: Json[]): Json | undefined => {
  const [first, second, ...more] = branches
  if (!first || second?.type !== 'null' || more.length > 0 || typeof first.type !== 'string') return undefined
  if ('const' in first || 'anyOf' in first || 'oneOf' in first) return undefined
  const words = Array.isArray(first.enum) ? { enum: [...first.enum, null] } : {}
  return { ...first, ...words, ...rest, type: [first.type, 'null'] }
}

const asDecided = (schema: Json): Json => {
  // TypeBox makes every union an anyOf of schemas.
  const branches = schema.anyOf as Json[]
  const found = branches.length > 1 ? findDiscriminator(branches) : undefined
  const { anyOf, discriminator, ...rest } = schema
  if (!found) return asNullable(schema, branches) ?? { ...rest, anyOf }
  const { name, words } = found
  return {
    ...rest,
    type: 'object',
    required: [name],
    properties: { [name]: { enum: words } },
    discriminator: { propertyName: name },
    oneOf: branches
  }
}

/**
 * A discriminated union is checked by the branch that its discriminator names. Of an `anyOf`, ajv would
 * report the errors of every branch, most of which the sender never meant.
 * @returns the schema, for ajv with `discriminator: true`
 */
const decideUnions = <T>(schema: T): T => {
  if (Array.isArray(schema)) return schema.map(decideUnions) as T
  if (!isObject(schema)) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, decideUnions<unknown>(value)]))
  return (Array.isArray(inner.anyOf) ? asDecided(inner) : inner) as T
}

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

/** What has a format, in words, with a value that has it. */
const forms: Readonly<Record<string, string>> = {
  uuid: 'an id such as 0197a5f2-6c1e-7b3a-9d40-5e8f1a2b3c4d',
  'date-time': 'a time such as 2026-01-31T09:00:00Z',
  date: 'a date such as 2026-01-31',
  time: 'a time such as 09:00:00Z',
  email: 'an address such as ada@example.com',
  uri: 'an address such as https://example.com/page',
  regex: 'a regular expression such as ^REQ-[0-9]+$'
}

/** What only says that there must be something to read. */
const notBlank = '\\S'

const exampleOf = (schema: unknown): string | undefined => {
  const { examples } = fieldsOf(schema)
  const [first]: unknown[] = Array.isArray(examples) ? examples : []
  return typeof first === 'string' ? first : undefined
}

/** @returns what a value looks like, and what the field is */
const explainPattern = (schema: unknown): string | undefined => {
  const example = exampleOf(schema)
  const words = textIn(schema, 'description')
  if (example === undefined) return words && `does not fit. The field: ${words}`
  return `must look like ${example}${words === undefined ? '' : `. The field: ${words}`}`
}

const counted = (count: unknown, one: string, many: string): string => `${String(count)} ${count === 1 ? one : many}`

const types: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'empty'
}

/** `string`, `string,null` and ['string', 'null'] are the ways in which ajv names types. */
const describeTypes = (type: unknown): string =>
  (Array.isArray(type) ? type.map(String) : String(type).split(',')).map((name) => types[name] ?? name).join(' or ')

type Params = Record<string, unknown>

/** What each rule of a schema asks for, as a person would say it. */
const rules: Readonly<Record<string, (params: Params, schema: unknown) => string | undefined>> = {
  type: ({ type }) => `must be ${describeTypes(type)}`,
  required: () => 'is missing',
  dependentRequired: () => 'is missing',
  additionalProperties: () => 'is not a known field',
  unevaluatedProperties: () => 'is not a known field',
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${String(limit)}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${String(limit)}`,
  multipleOf: ({ multipleOf: step }) => `must be a multiple of ${String(step)}`,
  minLength: ({ limit }) => limit === 1
    ? 'must not be empty'
    : `must have at least ${counted(limit, 'character', 'characters')}`,
  maxLength: ({ limit }) => `must have at most ${counted(limit, 'character', 'characters')}`,
  minItems: ({ limit }) => `must have at least ${counted(limit, 'entry', 'entries')}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit, 'entry', 'entries')}`,
  minProperties: ({ limit }) => `must have at least ${counted(limit, 'field', 'fields')}`,
  maxProperties: ({ limit }) => `must have at most ${counted(limit, 'field', 'fields')}`,
  uniqueItems: () => 'must not have the same entry twice',
  enum: ({ allowedValues: values }) => Array.isArray(values) ? `must be one of ${values.join(', ')}` : undefined,
  const: ({ allowedValue: value }) => `must be ${JSON.stringify(value)}`,
  format: ({ format }) => forms[String(format)] === undefined ? undefined : `must be ${forms[String(format)]}`,
  pattern: ({ pattern }, schema) => pattern === notBlank ? 'must not be blank' : explainPattern(schema)
}

/**
 * @returns what is wrong, in words, with a value that fits: neither a pattern nor the schema's own terms help people,
 *   and a list that is not shown is no help either
 */
export const explainIssue = ({ keyword, params, parentSchema }:
Pick<ErrorObject, 'keyword' | 'params' | 'parentSchema'>): string =>
  rules[keyword]?.(fieldsOf(params), parentSchema) ?? 'is not valid'

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
