import type { Tool } from './tool.js'
import { ToolSearch } from './search.js'

/** A tool that a workspace has beside those of the routes. */
export interface OwnTool {
  tool: Tool
  /** Whether a model is offered it now. One that is not is known all the same: a call that waits ends with a reason. */
  offered: boolean
}

/** Where a workspace's own tools come from: an area that keeps them. */
export type ToolSource = (workspaceId: string) => Promise<readonly OwnTool[]>

interface Known {
  byName: ReadonlyMap<string, OwnTool>
  search: ToolSearch
  readAt: number
}

/** Other instances change them too. What is stale is only offered, never called: the call's own route decides that. */
const holdsMs = 5_000
const maxKnown = 1_000

/** Stands in the name of every tool that is a workspace's own, and of no tool of ours. */
const separator = '__'

export const isOwnName = (name: string): boolean => name.includes(separator)

/** @returns the name under which a model has a tool of others */
export const ownName = (prefix: string, name: string): string => `${prefix}${separator}${name}`

/** The tools that workspaces have beside those of the routes, as they were read last. */
export class WorkspaceTools {
  readonly #known = new Map<string, Known>()
  source: ToolSource | undefined

  constructor (private readonly clock: () => number = () => performance.now()) {}

  /** Has them read, unless that was just done. */
  async load (workspaceId: string): Promise<void> {
    const known = this.#known.get(workspaceId)
    if (!this.source || (known && this.clock() - known.readAt < holdsMs)) return
    const readAt = this.clock()
    const tools = await this.source(workspaceId)
    const search = new ToolSearch(tools.filter(({ offered }) => offered).map(({ tool }) =>
      ({ name: tool.name, description: tool.model.description, keywords: tool.words.keywords })))
    this.#known.delete(workspaceId)
    this.#known.set(workspaceId, { byName: new Map(tools.map((own) => [own.tool.name, own])), search, readAt })
    const [oldest] = this.#known.keys()
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest)
  }

  /** They have changed: the next `load` reads them. Until then they are what they were. */
  forget (workspaceId: string): void {
    const known = this.#known.get(workspaceId)
    if (known) known.readAt = -Infinity
  }

  find (workspaceId: string, name: string): Tool | undefined {
    return this.#known.get(workspaceId)?.byName.get(name)?.tool
  }

  /** @returns those that are known, also what no model is offered now */
  all (workspaceId: string): Tool[] {
    return [...this.#known.get(workspaceId)?.byName.values() ?? []].map(({ tool }) => tool)
  }

  /** @returns those that a model may be offered, by name */
  offered (workspaceId: string): Tool[] {
    return [...this.#known.get(workspaceId)?.byName.values() ?? []].filter(({ offered }) => offered)
      .map(({ tool }) => tool).sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** @returns those that fit the request, the best first */
  search (workspaceId: string, request: string, limit: number): Tool[] {
    const names = this.#known.get(workspaceId)?.search.find(request, limit) ?? []
    return names.flatMap((name) => this.find(workspaceId, name) ?? [])
  }
}
