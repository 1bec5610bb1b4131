import { fieldsOf, isObject } from '../../schemas/unknown.js'
type Json = Record<string, unknown>

const reference = 'x-component'

export type Part = 'request' | 'response'

interface Kept { schema: unknown, requested: boolean }

/** The named schemas met so far; what only answers hold keeps its defaulted properties required. */
export class Components {
  readonly #schemas = new Map<string, Kept>()

  /** @returns the schema with every named part replaced by a mark */
  collect (schema: unknown, part: Part): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.collect(item, part))
    if (schema === null || typeof schema !== 'object') return schema
    const { $id, ...rest } = fieldsOf(schema)
    const inner = () =>
      Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, this.collect(value, part)]))
    if (typeof $id !== 'string') return inner()
    this.#keep($id, inner, part)
    return { [reference]: $id }
  }

  /** @returns the components by name, in the order of their names */
  named (): Json {
    const sorted = [...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1))
    const whole = sorted.map(([name, { schema, requested }]) =>
      [name, withoutObjectDefaults(requested ? optionalAllDefaults(schema) : schema)] as const)
    const byName = Object.fromEntries(whole)
    return Object.fromEntries(whole.map(([name, schema]) => [name, discriminate(fieldsOf(schema), byName)]))
  }

  #keep ($id: string, inner: () => Json, part: Part) {
    const held = this.#schemas.get($id)
    if (held && (held.requested || part === 'response')) return
    const entry: Kept = { schema: undefined, requested: part === 'request' }
    this.#schemas.set($id, entry)
    entry.schema = { title: $id, ...inner() }
  }
}

const urlOf = (name: string) => `#/components/schemas/${name}`

/** Turns every mark into a reference, once the components are complete. */
export const resolve = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(resolve)
  if (node === null || typeof node !== 'object') return node
  const mark = fieldsOf(node)[reference]
  if (typeof mark === 'string') return { $ref: urlOf(mark) }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolve(value)]))
}

/** A property with a default need not be sent, though its TypeScript type has no `undefined`. */
export const optionalDefaults = (schema: unknown): unknown => {
  if (schema === null || typeof schema !== 'object') return schema
  const { properties, required, ...rest }: { properties?: Record<string, Json>, required?: string[] } = Object(schema)
  if (!properties) return schema
  const left = (required ?? []).filter((name) => properties[name]?.default === undefined)
  return { ...rest, properties, ...(left.length > 0 ? { required: left } : {}) }
}

/** The same of the objects in it: each is filled in where it is left out. */
const optionalAllDefaults = (schema: unknown): unknown => {
  if (!isObject(schema)) return schema
  const { properties, ...rest } = fieldsOf(optionalDefaults(schema))
  if (!isObject(properties)) return schema
  const inner = Object.entries(properties).map(([name, property]) => [name, optionalAllDefaults(property)] as const)
  return { ...rest, properties: Object.fromEntries(inner) }
}

/**
 * An object that may be left out is filled in from the defaults of its properties, which say all there is to say: as
 * it stands, its own default lacks what it requires, and generators write nested ones wrongly.
 */
const withoutObjectDefaults = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutObjectDefaults)
  if (!isObject(schema)) return schema
  const { default: own, ...rest } = schema
  const kept = isObject(own) && 'properties' in schema ? rest : schema
  return Object.fromEntries(Object.entries(kept).map(([key, value]) => [key, withoutObjectDefaults(value)]))
}

interface Union { discriminator?: { propertyName: string }; anyOf?: Json[] }

/** A discriminated union is `oneOf`, and says which word names which schema: those differ, so nothing can guess it. */
const discriminate = (schema: Json, byName: Record<string, unknown>): Json => {
  const { discriminator, anyOf, ...rest } = schema as Union & Json
  if (!discriminator || !anyOf) return schema
  const { propertyName } = discriminator
  const mapping = Object.fromEntries(anyOf.map((part) => {
    const name = String(part[reference])
    const { properties } = byName[name] as { properties: Record<string, { const?: string }> }
    return [properties[propertyName]?.const ?? name, urlOf(name)]
  }))
  return { ...rest, oneOf: anyOf, discriminator: { propertyName, mapping } }
}
