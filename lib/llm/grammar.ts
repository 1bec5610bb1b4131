import { fieldsOf } from '../../schemas/unknown.js'
/** What the grammar of structured outputs cannot express: checked by us when the answer is there. */
const unsupported = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'minimum', 'maximum',
  'pattern', 'format', 'default', '$id'])

/** @returns the schema as a model is given it; limits stand in the descriptions */
export const toGrammar = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(toGrammar)
  if (typeof schema !== 'object' || schema === null) return schema
  const { maxLength, maxItems, description } = fieldsOf(schema)
  const limit = typeof maxLength === 'number'
    ? `At most ${maxLength} characters`
    : typeof maxItems === 'number' ? `At most ${maxItems} items` : undefined
  const notes = [description, limit].filter((note) => note !== undefined)
  const kept = Object.entries(schema).filter(([key, value]) => !unsupported.has(key) || typeof value === 'object')
    .filter(([key]) => key !== 'description')
    .map(([key, value]) => [key, toGrammar(value)])
  return { ...Object.fromEntries(kept), ...(notes.length > 0 && { description: notes.join('. ') }) }
}
