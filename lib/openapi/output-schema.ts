import type { FastifySchema } from 'fastify'
import { fieldsOf, isObject } from '../../schemas/unknown.js'
import { isContinuation } from '../tools/fit-structure.js'

type Json = Record<string, unknown>

/** Below so many objects and lists only the type is said: the whole of an answer is in the API's document. */
const deepest = 3

const nullable = (schema: Json): Json =>
  typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'] } : {}

/** Members of a union: one that may be null as such, those of one type by it; of others nothing is said. */
const ofUnion = (members: readonly unknown[], depth: number): Json => {
  const all = members.map((member) => formOf(fieldsOf(member), depth))
  const some = all.filter(({ type }) => type !== 'null')
  const [first = {}] = some
  const types = new Set(some.map(({ type }) => type))
  const one = some.length === 1 ? first : types.size === 1 && first.type !== undefined ? { type: first.type } : {}
  return some.length < all.length ? nullable(one) : one
}

const ofObject = ({ properties, required, additionalProperties: more }: Json, depth: number): Json => {
  const fields = Object.entries(fieldsOf(properties)).map(([name, field]) => [name, formOf(fieldsOf(field), depth + 1)])
  // Where a page goes on is left out of one that was shortened: it would skip what was.
  const isTop = depth === 0 && Array.isArray(required)
  const always = isTop ? required.filter((name) => !isContinuation(String(name))) : []
  return {
    type: 'object',
    ...(fields.length > 0 && { properties: Object.fromEntries(fields) }),
    ...(always.length > 0 && { required: always }),
    ...(isObject(more) && { additionalProperties: formOf(more, depth + 1) })
  }
}

const typeOf = (value: unknown): string => value === null ? 'null' : typeof value

/** Names, types, and at the top what is always there; no lengths or formats, so that a shortened answer fits too. */
const formOf = (schema: Json, depth: number): Json => {
  const union = schema.anyOf ?? schema.oneOf
  if (Array.isArray(union)) return ofUnion(union, depth)
  if ('const' in schema) return { type: typeOf(schema.const) }
  if (depth < deepest && schema.type === 'object') return ofObject(schema, depth)
  if (depth < deepest && schema.type === 'array') {
    const items = formOf(fieldsOf(schema.items), depth + 1)
    return { type: 'array', ...(Object.keys(items).length > 0 && { items }) }
  }
  return schema.type === undefined ? {} : { type: schema.type }
}

/** @returns the form of an answer, as a client may check it; undefined for one that is no object */
export const outputSchema = (answer: unknown): (Json & { type: 'object' }) | undefined => {
  const form = formOf(fieldsOf(answer), 0)
  return form.type === 'object' ? { ...form, type: 'object' } : undefined
}

/** Of an answer in several media types, what a program reads. */
export const jsonAnswerOf = ({ response }: FastifySchema): unknown => {
  const { 200: answer } = fieldsOf(response)
  const json = fieldsOf(fieldsOf(answer).content)['application/json']
  return json === undefined ? answer : fieldsOf(json).schema
}
