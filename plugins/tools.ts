import type { Tool as ModelTool, ToolUnion } from '@anthropic-ai/sdk/resources/messages'
import type { FastifyInstance, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { highestRole } from '../lib/access/require-access.js'
import { bodyOf, callRoute } from '../lib/http/call-route.js'
import { hasRole, hasScope, roleNeeded, type Principal } from '../lib/security/principal.js'
import type { Arguments, Read } from '../lib/tools/options.js'
import { expectedField } from '../lib/tools/digest.js'
import { KeptFor, toTool, type Tool } from '../lib/tools/tool.js'
import { finder, ToolSearch } from '../lib/tools/search.js'
import { isOwnName, WorkspaceTools } from '../lib/tools/workspace-tools.js'

export interface Answer {
  status: number
  body: unknown
}

/** What a write is sent with. */
export interface Conditions {
  idempotencyKey?: string
  /** An ETag: the route writes only what still is as it was read. */
  ifMatch?: string | undefined
  /** The facts of the plan, for a route that compares them with its target right before it sends. */
  expected?: Readonly<Record<string, unknown>>
}

/** Which tools a conversation has, beside those that it always has. */
export interface Offer {
  principal: Principal
  /** The names of those that were found, in the order in which they were. */
  found: readonly string[]
  /** The server itself searches the tools, and reads the definitions of those that it finds. */
  isSearchedByServer: boolean
}

/** Sets of scopes are as many as tokens; what is made for the rights of one is made again. */
const maxKept = 200

const serverSearch = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' } as const

/** The core is a prefix of its own for the prompt cache: what is found later comes after it. */
const withBreakpoint = (core: readonly ModelTool[]): ModelTool[] => core.map((tool, index) =>
  index === core.length - 1 ? { ...tool, cache_control: { type: 'ephemeral', ttl: '1h' } } : tool)

/** All that `mayUse` looks at. */
const rightsOf = (principal: Principal): string =>
  `${principal.role} ${highestRole(principal)} ${principal.scopes?.toSorted().join(' ') ?? '*'}`

/** Every route with `config.tool`. A call goes through the route, as the person: there is no second executor. */
export class Tools {
  readonly #byName = new Map<string, Tool>()
  readonly #lists = new KeptFor<readonly ModelTool[]>(maxKept)
  readonly #searches = new KeptFor<ToolSearch>(maxKept)
  readonly #offers = new KeptFor<readonly ToolUnion[]>(maxKept)
  /** Those that workspaces have beside the routes'. */
  readonly own = new WorkspaceTools()

  constructor (private readonly app: FastifyInstance) {}

  add (tool: Tool): void {
    if (this.#byName.has(tool.name)) throw new Error(`Two tools are called ${tool.name}`)
    this.#byName.set(tool.name, tool)
  }

  /** @param workspaceId whose own tools are meant too, as `prepare` has read them */
  find (name: string, workspaceId?: string): Tool | undefined {
    return this.#byName.get(name) ?? (workspaceId === undefined ? undefined : this.own.find(workspaceId, name))
  }

  /** Has the workspace's own tools read, if one of these names may be one of them. */
  async prepare (workspaceId: string, names: readonly string[]): Promise<void> {
    if (names.some(isOwnName)) await this.own.load(workspaceId)
  }

  /** @returns the names of those that write */
  writes (): string[] {
    return [...this.#byName.values()].filter(({ effect }) => effect === 'write').map(({ name }) => name)
  }

  /** @returns all that write, with those of the workspace's own, by name */
  async listWrites (workspaceId: string): Promise<Tool[]> {
    await this.own.load(workspaceId)
    return [...this.#byName.values(), ...this.own.all(workspaceId)].filter(({ effect }) => effect === 'write')
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** @returns the names of those whose results may have been written outside the workspace, but for its own tools */
  foreign (): string[] {
    return [...this.#byName.values()].filter(({ words }) => words.foreign).map(({ name }) => name)
  }

  mayUse (principal: Principal, tool: Tool): boolean {
    const { access } = tool
    if (access === undefined) return true
    const role = access.on === 'anywhere' ? highestRole(principal) : principal.role
    // A write is proposed, and a person with the role decides.
    const needed = roleNeeded({ planning: tool.effect === 'write' }, access.role)
    return hasScope(principal, access.scope) && hasRole({ role }, needed)
  }

  /** @returns all that the principal may use, sorted by name */
  list (principal: Principal): readonly ModelTool[] {
    return this.#lists.get(rightsOf(principal), () => [...this.#byName.values()]
      .filter((tool) => this.mayUse(principal, tool))
      .map((tool) => tool.model)
      .sort((a, b) => (a.name < b.name ? -1 : 1)))
  }

  /** @returns those that the principal may use and that fit the request, the best first */
  search (principal: Principal, request: string, limit: number): Tool[] {
    const known = this.#searches.get(rightsOf(principal), () => new ToolSearch(this.list(principal)
      .flatMap(({ name }) => name === finder ? [] : this.#byName.get(name) ?? [])
      .map(({ name, model: { description }, words: { keywords } }) => ({ name, description, keywords }))))
    return known.find(request, limit).flatMap((name) => this.#byName.get(name) ?? [])
  }

  /** @returns of the workspace's own tools those that fit: beside ours, which words of theirs do not push away */
  async searchOwn (principal: Principal, request: string, limit: number): Promise<Tool[]> {
    await this.own.load(principal.workspace_id)
    return this.own.search(principal.workspace_id, request, limit).filter((tool) => this.mayUse(principal, tool))
  }

  /**
   * @returns what the model is offered: the core sorted by name, then what was found in its order, so that one list
   * begins as the list before it did. The same tools are the same array, whose bytes are kept.
   */
  offer (offer: Offer): readonly ToolUnion[] {
    const own = this.#ownOf(offer)
    const versions = own.map(({ name, version }) => `${name}@${version}`)
    const key = [rightsOf(offer.principal), offer.isSearchedByServer, ...offer.found, ...versions].join(' ')
    return this.#offers.get(key, () => this.#makeOffer(offer, own.map(({ model }) => model)))
  }

  /** The workspace's own tools that are part of an offer. */
  #ownOf ({ principal, found, isSearchedByServer }: Offer): Tool[] {
    if (!isSearchedByServer && !found.some(isOwnName)) return []
    return this.own.offered(principal.workspace_id).filter((tool) =>
      this.mayUse(principal, tool) && (isSearchedByServer || found.includes(tool.name)))
  }

  #makeOffer ({ principal, found, isSearchedByServer }: Offer, foreign: readonly ModelTool[]): readonly ToolUnion[] {
    const all = this.list(principal)
    const isCore = ({ name }: ModelTool) => this.#byName.get(name)?.words.core === true
    if (isSearchedByServer) {
      const own = all.filter(({ name }) => name !== finder)
      const later = [...own.filter((tool) => !isCore(tool)), ...foreign]
        .map((tool) => ({ ...tool, defer_loading: true }))
      return [serverSearch, ...withBreakpoint(own.filter(isCore)), ...later]
    }
    // Without the right to search, nothing would be found.
    if (!all.some(({ name }) => name === finder)) return all
    const byName = new Map([...all, ...foreign].map((tool) => [tool.name, tool]))
    const more = [...new Set(found)].flatMap((name) => byName.get(name) ?? []).filter((tool) => !isCore(tool))
    return [...withBreakpoint(all.filter(isCore)), ...more]
  }

  /** Runs the tool's route as the principal. Never throws for an answer of the route, whatever its status. */
  async call (principal: Principal, tool: Tool, args: Arguments, conditions: Conditions = {}): Promise<Answer> {
    const { expected } = conditions
    const bound = tool.takesExpected && expected ? { ...args, [expectedField]: expected } : args
    return this.send(principal, tool.bind(bound), conditions)
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
