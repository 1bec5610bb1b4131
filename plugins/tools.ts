import { createHash } from 'node:crypto'
import type { Tool as ModelTool } from '@anthropic-ai/sdk/resources/messages'
import type { FastifyInstance, HTTPMethods, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError } from '../schemas/errors.js'
import { hasRole, hasScope, ticketHeader, type Access, type Principal } from './principal.js'
import type { Arguments, Read, ToolOptions } from './tool-options.js'
import { bindRequest, toolInput, type ToolInput } from './tool-schema.js'
import { compileJson } from './validation.js'

export interface Answer {
  status: number
  body: unknown
}

/** A route as the assistant sees it. */
export interface Tool {
  name: string
  effect: 'read' | 'write'
  /** Hash of name and schema: a call that waits across a deploy is checked against it. */
  version: string
  options: Exclude<ToolOptions, 'read'> | undefined
  /** Arguments that a person may edit before approving. */
  editable: string[]
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

const toTool = (route: RouteOptions, options: ToolOptions): Tool => {
  const contract = route.config?.contract ?? {}
  const name = contract.operationId ?? ''
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) throw new Error(`The tool at ${route.url} needs an operationId`)
  const input = toolInput(contract)
  const method = route.method as HTTPMethods
  if (options === 'read' && method !== 'GET') throw new Error(`${name} says it only reads, but is ${method}`)
  const write = options === 'read' ? undefined : options
  const bodyFields = [...input.fields].filter(([, field]) => field.place === 'body').map(([field]) => field)
  const description = [contract.summary, contract.description].filter(Boolean).join('. ')
  return {
    name,
    effect: write ? 'write' : 'read',
    version: createHash('sha256')
      .update(JSON.stringify([name, input.schema]))
      .digest('base64url')
      .slice(0, 16),
    options: write,
    editable: write?.editable ?? bodyFields,
    model: { name, description, input_schema: input.schema as unknown as ModelTool.InputSchema },
    access: route.config?.access,
    check: checker(input),
    bind: (args) => ({ method, ...bindRequest(route.url, input, args) })
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
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
  async call (principal: Principal, tool: Tool, args: Arguments, idempotencyKey?: string): Promise<Answer> {
    const request = tool.bind(args)
    return this.send(principal, request, tool.effect === 'write' ? idempotencyKey : undefined)
  }

  /** @returns a reader of the API as the principal, for previews; it throws the operation's error */
  reader (principal: Principal): Read {
    return async (url) => {
      const { status, body } = await this.send(principal, { method: 'GET', url })
      // Our own answers are objects.
      const answer = body as Record<string, unknown>
      if (status >= 300) {
        throw new ApiError(String(answer.code), String(answer.title), status, String(answer.detail), answer)
      }
      return answer
    }
  }

  /** Sends a request to ourselves, as the principal. Never throws for an answer of the route, whatever its status. */
  async send (principal: Principal, request: ReturnType<Tool['bind']>, idempotencyKey?: string): Promise<Answer> {
    const response = await this.app.inject({
      method: request.method as 'GET',
      url: request.url,
      headers: {
        [ticketHeader]: this.app.tickets.issue(principal),
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {})
      },
      ...(request.payload === undefined ? {} : { payload: request.payload })
    })
    return { status: response.statusCode, body: response.payload === '' ? null : parse(response.payload) }
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
