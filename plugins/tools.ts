import { createHash } from 'node:crypto'
import type { Tool as ModelTool } from '@anthropic-ai/sdk/resources/messages'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifySchema, HTTPMethods, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { isDefaulted } from '../schemas/common.js'
import { bodyOf, callRoute } from '../lib/http/call-route.js'
import { hasRole, hasScope, type Access, type Principal } from '../lib/security/principal.js'
import type { Arguments, Read, ToolOptions, WriteTool } from '../lib/tools/options.js'
import { bindRequest, toolInput, type ToolInput } from '../lib/openapi/tool-schema.js'
import { compileJson } from '../lib/openapi/json-schemas.js'

export interface Answer {
  status: number
  body: unknown
}

/** What a write is sent with. */
export interface Conditions {
  idempotencyKey?: string
  /** An ETag: the route writes only what still is as it was read. */
  ifMatch?: string
}

/** A route as the assistant sees it. */
export interface Tool {
  name: string
  effect: 'read' | 'write'
  /** Hash of name and schema: a call that waits across a deploy is checked against it. */
  version: string
  options: WriteTool | undefined
  /** Arguments that a person may edit before approving. */
  editable: string[]
  /** Arguments that say what is changed, of query and body, with their defaults. */
  settings: Map<string, unknown>
  model: ModelTool
  access: Access | undefined
  /** @returns what is wrong with the arguments, by pointer; empty when they fit */
  check: (args: unknown) => { pointer: string; code: string; message: string }[]
  bind: (args: Arguments) => { method: HTTPMethods; url: string; payload?: Arguments }
}

const checker = (input: ToolInput): Tool['check'] => {
  const validate = compileJson(input.schema)
  return (args) =>
    validate(args)
      ? []
      : (validate.errors ?? []).map((issue) => {
          const name = issue.params.additionalProperty ?? issue.params.missingProperty
          const code = issue.keyword === 'additionalProperties' ? 'unknown_field' : issue.keyword
          return {
            pointer: `${issue.instancePath}${name ? `/${name}` : ''}`,
            code,
            message: issue.message ?? 'is not valid'
          }
        })
}

const isUnmarked = (schema: TSchema | undefined) => schema?.default !== undefined && !isDefaulted(schema)

/** A plan's arguments have the types of the schemas that its tool names: those of its route, with marked defaults. */
const requireOwnSchemas = (name: string, { params, querystring, body }: FastifySchema, { input }: WriteTool): void => {
  if (input.params !== params || input.query !== querystring || input.body !== body) {
    throw new Error(`The tool ${name} takes other schemas than its route`)
  }
  for (const { properties = {}, required = [] } of [input.query ?? {}, input.body ?? {}]) {
    const unmarked = required.find((field) => isUnmarked(properties[field]))
    if (unmarked !== undefined) throw new Error(`${name}: the default of ${unmarked} is not marked by Defaulted()`)
  }
}

const toTool = (route: RouteOptions, options: ToolOptions): Tool => {
  const contract = route.config?.contract ?? {}
  const name = contract.operationId ?? ''
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) throw new Error(`The tool at ${route.url} needs an operationId`)
  const input = toolInput(contract)
  const { method } = route
  if (typeof method !== 'string') throw new Error(`The tool ${name} has several methods`)
  if (options === 'read' && method !== 'GET') throw new Error(`${name} declares to be a read, but is ${method}`)
  const write = options === 'read' ? undefined : options
  if (write) requireOwnSchemas(name, contract, write)
  const named = [...input.fields].filter(([, { part }]) => part !== 'params')
  const { properties } = input.schema
  const bodyFields = named.filter(([, { part }]) => part === 'body').map(([field]) => field)
  const description = [contract.summary, contract.description].filter(Boolean).join('. ')
  return {
    name,
    effect: write ? 'write' : 'read',
    version: createHash('sha256')
      .update(JSON.stringify([name, input.schema]))
      .digest('base64url')
      .slice(0, 16),
    options: write,
    editable: [...write?.editable ?? bodyFields],
    settings: new Map(named.map(([field]) => [field, properties[field]?.default])),
    model: { name, description, input_schema: input.schema },
    access: route.config?.access,
    check: checker(input),
    bind: (args) => ({ method, ...bindRequest(route.url, input, args) })
  }
}

/** Every route with `config.tool`. A call goes through the route, as the person: there is no second executor. */
export class Tools {
  readonly #byName = new Map<string, Tool>()
  readonly #lists = new Map<string, ModelTool[]>()

  constructor (private readonly app: FastifyInstance) {}

  add (tool: Tool): void {
    if (this.#byName.has(tool.name)) throw new Error(`Two tools are called ${tool.name}`)
    this.#byName.set(tool.name, tool)
  }

  find (name: string): Tool | undefined {
    return this.#byName.get(name)
  }

  /** @returns the names of those that write */
  writes (): string[] {
    return [...this.#byName.values()].filter(({ effect }) => effect === 'write').map(({ name }) => name)
  }

  mayUse (principal: Principal, tool: Tool): boolean {
    const { access } = tool
    return access === undefined || (hasScope(principal, access.scope) && hasRole(principal, access.role))
  }

  /** @returns what the model is offered for this principal, sorted by name: part of the cached prefix */
  list (principal: Principal): ModelTool[] {
    const key = `${principal.role} ${principal.scopes?.toSorted().join(' ') ?? '*'}`
    const known = this.#lists.get(key)
    if (known) return known
    const list = [...this.#byName.values()]
      .filter((tool) => this.mayUse(principal, tool))
      .map((tool) => tool.model)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    this.#lists.set(key, list)
    return list
  }

  /** Runs the tool's route as the principal. Never throws for an answer of the route, whatever its status. */
  async call (principal: Principal, tool: Tool, args: Arguments, conditions: Conditions = {}): Promise<Answer> {
    return this.send(principal, tool.bind(args), conditions)
  }

  /** @returns a reader of the API as the principal, for previews; it throws the operation's error */
  reader (principal: Principal): Read {
    const planner = { ...principal, background: true, planning: true }
    return async (url, schema, dryRun) => bodyOf(await callRoute(this.app, planner, dryRun === undefined
      ? { url }
      : { method: 'POST', url, payload: { ...dryRun, dry_run: true } }), schema)
  }

  /** Sends a request to ourselves, as the principal. Never throws for an answer of the route, whatever its status. */
  async send (principal: Principal, request: ReturnType<Tool['bind']>, conditions: Conditions = {}): Promise<Answer> {
    const { idempotencyKey: key, ifMatch } = conditions
    return callRoute(this.app, principal, { ...request, key, ifMatch })
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    tools: Tools
  }
}

export default fp(
  async (app) => {
    const tools = new Tools(app)
    app.decorate('tools', tools)
    const routes: RouteOptions[] = []
    app.addHook('onRoute', (route) => {
      if (route.config?.tool && route.method !== 'HEAD') routes.push(route)
    })
    // At the end, when each route has its scope's access.
    app.addHook('onReady', async () => {
      for (const route of routes) tools.add(toTool(route, route.config?.tool ?? 'read'))
    })
  },
  { name: 'tools', dependencies: ['auth', 'validation'] }
)
