import { isRecord } from '../validate/shape.js'

const maxDepth = 8

/** Makes a value that fits a JSON schema from the given words, in place of a model. */
export function fill (schema: unknown, words: string, root = schema, depth = 0): unknown {
  if (!isRecord(schema) || depth > maxDepth) return null
  if (typeof schema.$ref === 'string') return fill(target(schema.$ref, root), words, root, depth + 1)
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const union = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray)
  if (union) return fill(union[0], words, root, depth + 1)
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object': return fillObject(schema, words, root, depth)
    case 'array': return depth < maxDepth ? [fill(schema.items, words, root, depth + 1)] : []
    case 'string': return fillString(schema, words)
    case 'integer': case 'number': return typeof schema.minimum === 'number' ? schema.minimum : 1
    case 'boolean': return false
    default: return null
  }
}

function fillObject (schema: Record<string, unknown>, words: string, root: unknown, depth: number) {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : Object.keys(properties)
  const entries = Object.entries(properties).filter(([name]) => required.includes(name))
  return Object.fromEntries(entries.map(([name, part]) => [name, fill(part, words, root, depth + 1)]))
}

function fillString ({ format }: Record<string, unknown>, words: string) {
  if (format === 'date') return new Date().toISOString().slice(0, 10)
  if (format === 'date-time') return new Date().toISOString()
  if (format === 'uri') return 'https://example.com/'
  return words.slice(0, 120)
}

const target = (ref: string, root: unknown) => ref.replace(/^#\/?/, '').split('/').filter(Boolean)
  .reduce<unknown>((at, key) => isRecord(at) ? at[key] : undefined, root)
