import { createHash } from 'node:crypto'
import type { Tool as ModelTool, ToolUnion } from '@anthropic-ai/sdk/resources/messages'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifySchema, HTTPMethods, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { isDefaulted } from '../schemas/common.js'
import { bodyOf, callRoute } from '../lib/http/call-route.js'
import { hasRole, hasScope, type Access, type Principal } from '../lib/security/principal.js'
import type { Arguments, Read, ToolOptions, ToolWords, WriteTool } from '../lib/tools/options.js'
import { finder } from '../lib/tools/finder.js'
import { ToolSearch } from '../lib/tools/search.js'
import { modelSchema } from '../lib/openapi/model-schema.js'
import { bindRequest, toolInput, type ToolInput, type ToolSchema } from '../lib/openapi/tool-schema.js'
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
  /** The names of all arguments, also of those that the model is not shown. */
  fields: ReadonlySet<string>
  /** Arguments that say what is changed, of query and body, with their defaults. */
  settings: Map<string, unknown>
  /** All that the route takes, which every call is checked by. */
  schema: ToolSchema
  /** As the model reads it. */
  model: ModelTool & { description: string }
  words: ToolWords
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

const toModel = (name: string, { schema }: ToolInput, { use, gives, fields = {}, leaveOut = [] }: ToolWords) => ({
  name,
  description: `${use} Gives back ${gives}`,
  input_schema: modelSchema(name, schema, fields, leaveOut)
})

const toTool = (route: RouteOptions, options: ToolOptions): Tool => {
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
  const named = [...input.fields].filter(([, { part }]) => part !== 'params')
  const { properties } = input.schema
  const bodyFields = named.filter(([, { part }]) => part === 'body').map(([field]) => field)
  return {
    name,
    effect: write ? 'write' : 'read',
    version: createHash('sha256')
      .update(JSON.stringify([name, input.schema]))
      .digest('base64url')
      .slice(0, 16),
    options: write,
    editable: [...write?.editable ?? bodyFields],
    fields: new Set(input.fields.keys()),
    settings: new Map(named.map(([field]) => [field, properties[field]?.default])),
    schema: input.schema,
    model: toModel(name, input, words),
    words,
    access: route.config?.access,
    check: checker(input),
    bind: (args) => ({ method, ...bindRequest(route.url, input, args) })
  }
}

/** Which tools a conversation has, beside those that it always has. */
export interface Offer {
  principal: Principal
  /** The names of those that were found, in the order in which they were. */
  found: readonly string[]
  /** The server itself searches the tools, and reads the definitions of those that it finds. */
  isSearchedByServer: boolean
}

const maxOffers = 200

const serverSearch = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' } as const

/** The core is a prefix of its own for the prompt cache: what is found later comes after it. */
const withBreakpoint = (core: readonly ModelTool[]): ModelTool[] => core.map((tool, index) =>
  index === core.length - 1 ? { ...tool, cache_control: { type: 'ephemeral', ttl: '1h' } } : tool)

const rightsOf = ({ role, scopes }: Principal): string => `${role} ${scopes?.toSorted().join(' ') ?? '*'}`

/** Every route with `config.tool`. A call goes through the route, as the person: there is no second executor. */
export class Tools {
  readonly #byName = new Map<string, Tool>()
  readonly #lists = new Map<string, ModelTool[]>()
  readonly #searches = new Map<string, ToolSearch>()
  readonly #offers = new Map<string, readonly ToolUnion[]>()

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

  /** @returns all that the principal may use, sorted by name */
  list (principal: Principal): readonly ModelTool[] {
    const key = rightsOf(principal)
    const known = this.#lists.get(key)
    if (known) return known
    const list = [...this.#byName.values()]
      .filter((tool) => this.mayUse(principal, tool))
      .map((tool) => tool.model)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    this.#lists.set(key, list)
    return list
  }

  /** @returns those that the principal may use and that fit the request, the best first */
  search (principal: Principal, request: string, limit: number): Tool[] {
    const key = rightsOf(principal)
    const known = this.#searches.get(key) ?? new ToolSearch(this.list(principal)
      .flatMap(({ name }) => name === finder ? [] : this.#byName.get(name) ?? [])
      .map(({ name, model: { description }, words: { keywords } }) => ({ name, description, keywords })))
    this.#searches.set(key, known)
    return known.find(request, limit).flatMap((name) => this.#byName.get(name) ?? [])
  }

  /**
   * @returns what the model is offered: the core sorted by name, then what was found in its order, so that one list
   * begins as the list before it did. The same tools are the same array, whose bytes are kept.
   */
  offer (offer: Offer): readonly ToolUnion[] {
    const key = `${rightsOf(offer.principal)} ${offer.isSearchedByServer} ${offer.found.join(' ')}`
    const known = this.#offers.get(key)
    if (known) return known
    if (this.#offers.size >= maxOffers) this.#offers.clear()
    const made = this.#makeOffer(offer)
    this.#offers.set(key, made)
    return made
  }

  #makeOffer ({ principal, found, isSearchedByServer }: Offer): readonly ToolUnion[] {
    const all = this.list(principal)
    const isCore = ({ name }: ModelTool) => this.#byName.get(name)?.words.core === true
    if (isSearchedByServer) {
      const own = all.filter(({ name }) => name !== finder)
      const later = own.filter((tool) => !isCore(tool)).map((tool) => ({ ...tool, defer_loading: true }))
      return [serverSearch, ...withBreakpoint(own.filter(isCore)), ...later]
    }
    // Without the right to search, nothing would be found.
    if (!all.some(({ name }) => name === finder)) return all
    const byName = new Map(all.map((tool) => [tool.name, tool]))
    const more = [...new Set(found)].flatMap((name) => byName.get(name) ?? []).filter((tool) => !isCore(tool))
    return [...withBreakpoint(all.filter(isCore)), ...more]
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
