import { Ajv, type ValidateFunction } from 'ajv'
import { escapeText } from '../../../lib/tools/show-text.js'
import { isObject } from '../../../schemas/unknown.js'

type Json = Record<string, unknown>

/** The schema of a foreign tool's arguments, of which every part is one that we know. */
export interface BoundSchema {
  type: 'object'
  properties: Record<string, Json>
  required: string[]
  additionalProperties: boolean | Json
  [keyword: string]: unknown
}

/** Why a schema cannot be used; the message is for an admin. */
export class SchemaUnfit extends Error {}

const maxDepth = 12
const maxNodes = 1_000
const maxWords = 500
const maxValues = 200

/** No pattern: an expression of others could keep this process busy for ever. The server checks its own. */
const numbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems',
  'maxItems']
const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const fieldName = /^(?!__proto__$)[A-Za-z0-9_.-]{1,64}$/

/** A walk through one schema: what it has seen so far, and the references that it is inside of. */
interface Walk { root: Json, nodes: { left: number }, inside: readonly string[], depth: number }

/** @returns the text as data for a model: no invisible characters, no more than so many */
export const boundWords = (text: string, most: number): string => {
  const shown = escapeText(text.toWellFormed())
  return shown.length <= most ? shown : `${shown.slice(0, most).toWellFormed()} …`
}

const follow = ({ root, inside }: Walk, ref: string): Json | undefined => {
  if (!ref.startsWith('#/')) throw new SchemaUnfit('it refers to a schema elsewhere')
  if (inside.includes(ref)) return undefined
  let found: unknown = root
  for (const part of ref.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }
  if (!isObject(found)) throw new SchemaUnfit('it refers to a part that it does not have')
  return found
}

const typeOf = ({ type }: Json): Json => {
  const all = [type].flat()
  if (type === undefined) return {}
  if (!all.every((one) => typeof one === 'string' && types.has(one))) throw new SchemaUnfit('it has a type of its own')
  return { type }
}

const valuesOf = (schema: Json): Json => {
  const { enum: values, const: only } = schema
  if (only !== undefined) return { enum: [only] }
  if (!Array.isArray(values)) return {}
  if (values.length === 0 || values.length > maxValues) throw new SchemaUnfit('it lists no values, or too many')
  return { enum: values }
}

const scalarsOf = (schema: Json): Json => ({
  ...typeOf(schema),
  ...valuesOf(schema),
  ...(typeof schema.description === 'string' && { description: boundWords(schema.description, maxWords) }),
  ...Object.fromEntries(numbers.flatMap((key) => typeof schema[key] === 'number' ? [[key, schema[key]]] : []))
})

const fieldsIn = (schema: Json, walk: Walk): Json => {
  const { properties, required } = schema
  if (!isObject(properties)) return {}
  const names = Object.keys(properties)
  if (!names.every((name) => fieldName.test(name))) throw new SchemaUnfit('an argument has a name that cannot be sent')
  const needed = Array.isArray(required) ? required.filter((name) => names.includes(String(name))) : []
  return {
    properties: Object.fromEntries(names.map((name) => [name, bind(properties[name], walk)])),
    ...(needed.length > 0 && { required: needed })
  }
}

const branchesOf = (schema: Json, walk: Walk): Json => {
  const branches = schema.anyOf ?? schema.oneOf
  return {
    ...(Array.isArray(branches) && branches.length > 0 && { anyOf: branches.map((one) => bind(one, walk)) }),
    ...(Array.isArray(schema.allOf) && schema.allOf.length > 0 && { allOf: schema.allOf.map((one) => bind(one, walk)) })
  }
}

const bind = (given: unknown, walk: Walk): Json => {
  if (given === true) return {}
  if (!isObject(given)) throw new SchemaUnfit('a part of it is no schema')
  if (walk.depth >= maxDepth || walk.nodes.left-- <= 0) throw new SchemaUnfit('it is too large or too deep')
  const { $ref: ref } = given
  const inner = { ...walk, depth: walk.depth + 1 }
  if (typeof ref === 'string') {
    const target = follow(walk, ref)
    return target ? bind(target, { ...inner, inside: [...walk.inside, ref] }) : {}
  }
  const { items, additionalProperties: more } = given
  return {
    ...scalarsOf(given),
    ...fieldsIn(given, inner),
    ...branchesOf(given, inner),
    ...(isObject(items) && { items: bind(items, inner) }),
    ...(isObject(more) && { additionalProperties: bind(more, inner) }),
    ...(more === false && { additionalProperties: false })
  }
}

/**
 * Reads the schema of a foreign tool's arguments: only keywords that are known, references resolved, and closed unless
 * it says that it is open. By it a model writes arguments, and they are checked.
 * @throws SchemaUnfit
 */
export const readSchema = (given: unknown): BoundSchema => {
  if (!isObject(given) || given.type !== 'object') throw new SchemaUnfit('its arguments are no object')
  const walk = { root: given, nodes: { left: maxNodes }, inside: [], depth: 0 }
  const { properties = {}, required = [], additionalProperties } = bind({
    ...given,
    anyOf: undefined,
    oneOf: undefined,
    allOf: undefined,
    enum: undefined,
    const: undefined
  }, walk)
  return {
    type: 'object',
    // As `fieldsIn` and `bind` make them.
    properties: properties as Record<string, Json>,
    required: required as string[],
    additionalProperties: given.additionalProperties === true ? true : additionalProperties as Json | undefined ?? false
  }
}

export interface Misfit { pointer: string, code: string, message: string }

const maxKept = 200
const kept = new Map<string, ValidateFunction>()

/** Each schema has a compiler of its own, which goes with it: they come and go with other people's servers. */
const compile = (hash: string, schema: unknown): ValidateFunction => {
  const known = kept.get(hash)
  if (known) return known
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: false })
  const made = ajv.compile(readSchema(schema))
  const [oldest] = kept.keys()
  if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest)
  kept.set(hash, made)
  return made
}

/**
 * @param hash of the definition that has the schema
 * @returns what is wrong with the arguments, by pointer; empty when they fit
 */
export const checkArguments = (hash: string, schema: unknown, args: unknown): Misfit[] => {
  const validate = compile(hash, schema)
  if (validate(args)) return []
  return (validate.errors ?? []).map(({ keyword, params, instancePath, message = 'is not valid' }) => {
    const name: unknown = params.additionalProperty ?? params.missingProperty
    const code = keyword === 'additionalProperties' ? 'unknown_field' : keyword
    return { pointer: `${instancePath}${name === undefined ? '' : `/${String(name)}`}`, code, message }
  })
}
