import type { FastifySchema } from 'fastify'
import { fieldsOf, isObject } from '../../schemas/unknown.js'
import { isContinuation } from '../tools/fit-result.js'
import { optionalDefaults } from './components.js'
import { withoutIds } from './json-schemas.js'

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

export type Part = 'params' | 'querystring' | 'body'

export interface Field {
  part: Part
  name: string
}

/** A JSON schema that no component name stands in. */
export type ToolSchema = {
  type: 'object'
  properties: Record<string, Json>
  required: string[]
  additionalProperties: false
}

export interface ToolInput {
  schema: ToolSchema
  /** Where each argument of the tool goes in the request. */
  fields: Map<string, Field>
}

interface ObjectSchema {
  properties?: Record<string, Json>
  required?: string[]
}

const parts: Part[] = ['params', 'querystring', 'body']

/** What only documents say, and what a model's strict schema does not take. */
const withoutNotes = (schema: Json): Json => {
  const { examples, title, ...rest } = schema
  return rest
}

/** What has a default need not be sent, however deep it lies: the route fills it in. */
const defaultsOptional = <T>(node: T): T => {
  if (Array.isArray(node)) return node.map(defaultsOptional) as T
  if (node === null || typeof node !== 'object') return node
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, defaultsOptional<unknown>(value)]))
  return optionalDefaults(inner) as T
}

const entries = (contract: FastifySchema, part: Part) => {
  // Our routes' parts are TypeBox objects.
  const schema: ObjectSchema = Object(contract[part])
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    part,
    name,
    property: defaultsOptional(withoutNotes(withoutIds(property))),
    required: (schema.required ?? []).includes(name) && property.default === undefined
  }))
}

/** Path, query and body as one closed object; a name that is taken gets its part as a prefix. */
export const toolInput = (contract: FastifySchema): ToolInput => {
  const fields = new Map<string, Field>()
  const properties: Record<string, Json> = {}
  const required: string[] = []
  for (const entry of parts.flatMap((part) => entries(contract, part))) {
    const name = fields.has(entry.name) ? `${entry.part}_${entry.name}` : entry.name
    fields.set(name, { part: entry.part, name: entry.name })
    properties[name] = entry.property
    if (entry.required) required.push(name)
  }
  return { schema: { type: 'object', properties, required, additionalProperties: false }, fields }
}

export interface BoundRequest {
  url: string
  payload?: Json
}

const queryOf = (pairs: [string, unknown][]): string => {
  const query = new URLSearchParams()
  for (const [name, value] of pairs) {
    for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item))
  }
  return query.size > 0 ? `?${query}` : ''
}

/** @returns the request that a call with these arguments is */
export const bindRequest = (path: string, input: ToolInput, args: Json): BoundRequest => {
  const parts: Record<Part, [string, unknown][]> = { params: [], querystring: [], body: [] }
  for (const [name, value] of Object.entries(args)) {
    const field = input.fields.get(name)
    if (field && value !== undefined && (field.part === 'body' || value !== null)) {
      parts[field.part].push([field.name, value])
    }
  }
  const params = new Map(parts.params)
  const url = path.replace(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(String(params.get(name) ?? '')))
  const hasBody = [...input.fields.values()].some((field) => field.part === 'body')
  return { url: url + queryOf(parts.querystring), ...(hasBody ? { payload: Object.fromEntries(parts.body) } : {}) }
}

/** What a route was sent, as Fastify has parsed it. */
export interface SentRequest { params: unknown, query: unknown, body: unknown }

/** @returns the arguments with which a call would be this request: the other way round than `bindRequest` */
export const unbindRequest = (input: ToolInput, { params, query, body }: SentRequest): Json => {
  const sent: Record<Part, Json> = { params: Object(params), querystring: Object(query), body: Object(body) }
  return Object.fromEntries([...input.fields].flatMap(([argument, { part, name }]) =>
    sent[part][name] === undefined ? [] : [[argument, sent[part][name]]]))
}
