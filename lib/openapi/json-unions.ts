import { isObject } from '../../schemas/unknown.js'
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
export const decideUnions = <T>(schema: T): T => {
  if (Array.isArray(schema)) return schema.map(decideUnions) as T
  if (!isObject(schema)) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, decideUnions<unknown>(value)]))
  return (Array.isArray(inner.anyOf) ? asDecided(inner) : inner) as T
}
