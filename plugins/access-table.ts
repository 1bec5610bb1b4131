import type { FastifyContextConfig, FastifyInstance, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { isGated } from '../lib/openapi/contract.js'
import type { Access } from '../lib/security/principal.js'
import type { StepUp } from '../lib/security/ways-in.js'

/** One method of one route, and what it declares of who may call it. */
export interface AccessRow {
  method: string
  url: string
  /** The operation of openapi.yaml; undefined for what the document does not show. */
  operationId: string | undefined
  access: Access | undefined
  /** Whether a token marked for an assistant may call it by an unsafe method; see `config.assistant`. */
  assistant: FastifyContextConfig['assistant'] | undefined
  refuses: Record<string, string>
  /** Why no sign-in is required. */
  public: string | undefined
  tool: 'read' | 'write' | undefined
  /** Whether policies judge it, and why not. */
  gated: boolean
  ungated: string | undefined
  stepUp: StepUp | undefined
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Why the route takes no credentials, or asks for them itself. Every route has this or `access`. */
    public?: string
    /** Codes by which the handler refuses more than scope and role do, each with its reason. */
    refuses?: Record<string, string>
  }
  interface FastifyInstance {
    /** @returns every route as it is declared: what the access tests compare the answers with */
    accessTable: () => AccessRow[]
    /** Declares every route of the scope public. */
    publish: (scope: FastifyInstance, reason: string) => void
  }
}

const toolOf = (config: FastifyContextConfig | undefined) =>
  config?.tool === undefined || config.tool === 'read' ? config?.tool : 'write' as const

const rowsOf = ({ method, url, config }: RouteOptions): AccessRow[] => [method].flat().map((one) => ({
  method: one,
  url,
  operationId: config?.contract?.hide ? undefined : config?.contract?.operationId,
  access: config?.access,
  assistant: config?.assistant,
  refuses: config?.refuses ?? {},
  public: config?.public,
  tool: toolOf(config),
  gated: isGated({ method: one, config }),
  ungated: config?.ungated || undefined,
  stepUp: config?.stepUp
}))

/** Collects the declarations of all routes. An area's own hooks complete them later: they are read when asked for. */
export default fp(async (app: FastifyInstance) => {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => { routes.push(route) })
  app.decorate('accessTable', () => routes.flatMap(rowsOf))
  app.decorate('publish', (scope: FastifyInstance, reason: string) => {
    scope.addHook('onRoute', (route) => { route.config = { public: reason, ...route.config } })
  })
}, { name: 'access-table' })
