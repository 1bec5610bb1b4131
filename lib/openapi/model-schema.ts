import { commonFields } from '../tools/field-words.js'
import { isObject } from '../../schemas/unknown.js'
import type { ToolSchema } from './tool-schema.js'

type Json = Record<string, unknown>
type Words = Readonly<Record<string, string>>

/** What every provider takes. Patterns, formats and lengths are checked when the call comes, not by the model. */
const kept = ['type', 'enum', 'default', 'minimum', 'maximum', 'required']

const forms: Readonly<Record<string, string>> = {
  'date-time': 'such as 2026-01-31T09:00:00Z',
  date: 'such as 2026-01-31'
}

/** A property that the API takes back as it was read, which it marks so. */
const isReadBack = (schema: unknown): boolean =>
  isObject(schema) && String(schema.description ?? '').startsWith('As it was read')

/** The words for the longest end of the path that has some. */
const wordsFor = (path: readonly string[], words: Words): string | undefined => {
  for (let from = 0; from < path.length; from++) {
    const found = words[path.slice(from).join('.')]
    if (found !== undefined) return found
  }
  return undefined
}

const describe = (schema: Json, path: readonly string[], words: Words): string | undefined => {
  const exact = words[path.slice(-2).join('.')]
  const own = path.length > 1 && exact !== undefined ? exact : schema.description
  const meaning = own ?? wordsFor(path, words) ?? wordsFor(path, commonFields)
  const form = forms[String(schema.format)]
  const parts = [meaning, form].filter((part) => part !== undefined)
  return parts.length > 0 ? parts.join(', ') : undefined
}

const constants = (branches: readonly unknown[]): unknown[] | undefined => {
  const values = branches.flatMap((branch) => isObject(branch) && 'const' in branch ? [branch.const] : [])
  return values.length === branches.length ? values : undefined
}

/** Members of a closed union: objects that say in words what they are; one object with all of their properties. */
const merged = (branches: readonly Json[]): Json => {
  const properties: Json = {}
  for (const branch of branches) {
    for (const [name, schema] of Object.entries(fieldsIn(branch.properties))) {
      const before = properties[name]
      properties[name] = before === undefined ? schema : joined(fieldsIn(before), fieldsIn(schema))
    }
  }
  const all = branches.map(({ required }) => new Set(Array.isArray(required) ? required : []))
  const required = Object.keys(properties).filter((name) => all.every((names) => names.has(name)))
  return { type: 'object', properties, required, description: byKind(branches, new Set(required)) }
}

/** Which members go with which kind, in words: the union itself is not shown. */
const byKind = (branches: readonly Json[], shared: ReadonlySet<string>): string | undefined => {
  const lines = branches.flatMap(({ properties }) => {
    const own = Object.entries(fieldsIn(properties))
    const kind = own.flatMap(([name, schema]) => shared.has(name) ? valuesOf(fieldsIn(schema)) : [])
    const names = own.map(([name]) => name).filter((name) => !shared.has(name))
    return kind.length > 0 ? `${kind.join(' or ')} takes ${names.join(', ') || 'nothing more'}` : []
  })
  return lines.length === branches.length ? lines.join('; ') : undefined
}

const valuesOf = (schema: Json): unknown[] => {
  if (schema.const !== undefined) return [schema.const]
  return Array.isArray(schema.enum) ? schema.enum : []
}

const joined = (a: Json, b: Json): Json => {
  const values = [...new Set([...valuesOf(a), ...valuesOf(b)])]
  return values.length > 0 ? { ...a, const: undefined, type: 'string', enum: values } : a
}

const fieldsIn = (value: unknown): Json => isObject(value) ? value : {}

const withoutUnions = (schema: Json): Json => {
  const branches = schema.anyOf ?? schema.oneOf
  if (!Array.isArray(branches)) return schema
  const { anyOf: _, oneOf: __, discriminator: ___, ...rest } = schema
  const values = constants(branches)
  if (values) return { ...rest, enum: values }
  const objects = branches.filter((branch) => isObject(branch) && isObject(branch.properties))
  if (objects.length === branches.length) return { ...merged(objects), ...rest }
  const first = branches.find((branch) => isObject(branch) && branch.type !== 'null')
  return { ...fieldsIn(first), ...rest }
}

const objectOf = (schema: Json, path: readonly string[], words: Words): Json => {
  const properties = Object.entries(fieldsIn(schema.properties))
    .filter(([, property]) => !isReadBack(property))
    .map(([name, property]) => [name, simple(fieldsIn(property), [...path, name], words)])
  const { additionalProperties: more } = schema
  return {
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(isObject(more) ? { additionalProperties: simple(more, path, words) } : {}),
    ...(more === false && { additionalProperties: false })
  }
}

const simple = (given: Json, path: readonly string[], words: Words, isItem = false): Json => {
  const schema = withoutUnions(given)
  const values = 'const' in schema && schema.const !== undefined ? { enum: [schema.const] } : {}
  const description = isItem ? schema.description : describe(schema, path, words)
  return {
    ...Object.fromEntries(kept.flatMap((key) => schema[key] === undefined ? [] : [[key, schema[key]]])),
    ...values,
    ...(description !== undefined && { description }),
    ...(isObject(schema.items) && { items: simple(schema.items, path, words, true) }),
    ...objectOf(schema, path, words)
  }
}

/**
 * The schema of a tool's arguments as a model reads it: no pattern, format, reference or union, no field that is only
 * taken back, and words for every property. The call itself is checked by the whole schema.
 */
export const modelSchema = (name: string, schema: ToolSchema, words: Words, leaveOut: readonly string[]) => {
  const properties = Object.fromEntries(Object.entries(schema.properties)
    .filter(([field, property]) => !isReadBack(property) && !leaveOut.includes(field))
    .map(([field, property]) => [field, simple(property, [name, field], words)]))
  const required = schema.required.filter((field) => field in properties)
  return { type: 'object' as const, properties, required, additionalProperties: false }
}
