import { createHash } from 'node:crypto'
import type { Tool as ModelTool } from '@anthropic-ai/sdk/resources/messages'
import type { HTTPMethods, RouteOptions, FastifySchema } from 'fastify'
import type { TSchema } from '@sinclair/typebox'
import { isDefaulted } from '../../schemas/common.js'
import { compileJson, explainIssue } from '../openapi/json-schemas.js'
import { modelSchema } from '../openapi/model-schema.js'
import {
  jsonAnswerOf, bindRequest, toolInput, unbindRequest, type SentRequest, type ToolInput, type ToolSchema
} from '../openapi/tool-schema.js'
import type { Access } from '../security/principal.js'
import { expectedField } from './digest.js'
import type { Arguments, ToolOptions, ToolWords, WriteTool } from './options.js'

/** @returns what is wrong with arguments, by pointer; empty when they fit */
type ArgumentCheck = (args: unknown) => { pointer: string; code: string; message: string }[]

export const checkerOf = (schema: object): ArgumentCheck => {
  const validate = compileJson(schema)
  return (args) =>
    validate(args)
      ? []
      : (validate.errors ?? []).map((issue) => {
          const name = issue.params.additionalProperty ?? issue.params.missingProperty
          const code = issue.keyword === 'additionalProperties' ? 'unknown_field' : issue.keyword
          return {
            pointer: `${issue.instancePath}${name ? `/${name}` : ''}`,
            code,
            message: explainIssue(issue)
          }
        })
}

/** Keeps what was made for so many keys, those that were asked for last; anything can be made again. */
export class KeptFor<Value extends object> {
  readonly #kept = new Map<string, Value>()

  constructor (private readonly max: number) {}

  get size (): number { return this.#kept.size }

  /** @returns what is kept for a key, the very same each time, or else what `make` makes */
  get (key: string, make: () => Value): Value {
    const value = this.#kept.get(key) ?? make()
    // The one that was asked for last is the last that is given up.
    this.#kept.delete(key)
    this.#kept.set(key, value)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > this.max && oldest !== undefined) this.#kept.delete(oldest)
    return value
  }
}

const isUnmarked = (schema: TSchema | undefined) => schema?.default !== undefined && !isDefaulted(schema)

/** A plan's arguments have the types of the schemas that its tool names: those of its route, with marked defaults. */
const requireOwnSchemas = (name: string, { params, querystring, body }: FastifySchema,
  { input }: WriteTool): void => {
  if (input.params !== params || input.query !== querystring || input.body !== body) {
    throw new Error(`The tool ${name} takes other schemas than its route`)
  }
  for (const { properties = {}, required = [] } of [input.query ?? {}, input.body ?? {}]) {
    const unmarked = required.find((field) => isUnmarked(properties[field]))
    if (unmarked !== undefined) throw new Error(`${name}: the default of ${unmarked} is not marked by Defaulted()`)
  }
}

/** A route as the assistant sees it. */
export interface Tool {
  name: string
  /** In a few words, for people. */
  title: string
  /** The operation that a call of it is. */
  operation: string
  effect: 'read' | 'write'
  /** The schema of what the route answers where it succeeds. */
  answer: unknown
  /** By HTTP: the same call again changes nothing more. */
  isIdempotent: boolean
  /** Hash of name and schema: a call that waits across a deploy is checked against it. */
  version: string
  options: WriteTool | undefined
  /** Whether the route takes the facts of the plan, and compares them with the target right before it sends. */
  takesExpected: boolean
  /** Arguments that a person may edit before approving. */
  editable: string[]
  /** The names of all arguments, also of those that the model is not shown. */
  fields: ReadonlySet<string>
  /** Arguments that say what is changed, of query and body, with their defaults. */
  settings: Map<string, unknown>
  /** All that the route takes, which every call is checked by. */
  schema: Pick<ToolSchema, 'type' | 'properties' | 'required'>
  /** As the model reads it. */
  model: ModelTool & { description: string }
  words: ToolWords
  access: Access | undefined
  /** @returns what is wrong with the arguments, by pointer; empty when they fit */
  check: ArgumentCheck
  bind: (args: Arguments) => { method: HTTPMethods; url: string; payload?: Arguments }
  /** @returns the arguments with which a call would be this request of its route */
  unbind: (request: SentRequest) => Arguments
}

const toModel = (name: string, { schema }: ToolInput, { use, gives, fields = {}, leaveOut = [] }: ToolWords) => ({
  name,
  description: `${use} Gives back ${gives}`,
  input_schema: modelSchema(name, schema, fields, [...leaveOut, expectedField])
})

/** @returns the tool that a route is; it throws what the route lacks for being one */
export const toTool = (route: RouteOptions, options: ToolOptions): Tool => {
  const contract = route.config?.contract ?? {}
  const name = contract.operationId ?? ''
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) throw new Error(`The tool at ${route.url} needs an operationId`)
  const input = toolInput(contract)
  const { method, config: { words } = {} } = route
  if (!words) throw new Error(`The tool ${name} has no words for a model`)
  if (typeof method !== 'string') throw new Error(`The tool ${name} has several methods`)
  if (options === 'read' && method !== 'GET') throw new Error(`${name} declares to be a read, but is ${method}`)
  const write = options === 'read' ? undefined : options
  if (write) requireOwnSchemas(name, contract, write)
  const named = [...input.fields].filter(([field, { part }]) => part !== 'params' && field !== expectedField)
  const { properties } = input.schema
  const bodyFields = named.filter(([, { part }]) => part === 'body').map(([field]) => field)
  return {
    name,
    title: contract.summary ?? name,
    operation: name,
    effect: write ? 'write' : 'read',
    answer: jsonAnswerOf(contract),
    isIdempotent: ['GET', 'PUT', 'DELETE'].includes(method),
    version: createHash('sha256')
      .update(JSON.stringify([name, input.schema]))
      .digest('base64url')
      .slice(0, 16),
    options: write,
    takesExpected: input.fields.get(expectedField)?.part === 'body',
    editable: [...write?.editable ?? bodyFields],
    fields: new Set(input.fields.keys()),
    settings: new Map(named.map(([field]) => [field, properties[field]?.default])),
    schema: input.schema,
    model: toModel(name, input, words),
    words,
    access: route.config?.access,
    check: checkerOf(input.schema),
    bind: (args) => ({ method, ...bindRequest(route.url, input, args) }),
    unbind: (request) => unbindRequest(input, request)
  }
}
