import type { FastifyInstance } from 'fastify'
import type { Principal } from '../../../lib/security/principal.js'
import { callTool } from './call-tool.js'
import { listTools } from './list-tools.js'
import type { Offer } from './offer.js'
import { getPrompt, listPrompts } from './prompts.js'
import { listResources, listTemplates, readResource } from './resources.js'

type Deps = Pick<FastifyInstance, 'tools' | 'config' | 'workspaces'>

/** What Steward offers: all of it goes through its routes, with the rights of the token. */
export const assistantOffer = (deps: Deps, principal: Principal): Offer => ({
  tools: {
    list: () => listTools(deps.tools, principal),
    call: (request) => callTool(deps, principal, request)
  },
  resources: {
    templates: listTemplates,
    list: (cursor) => listResources(deps, principal, cursor),
    read: (uri) => readResource(deps, principal, uri)
  },
  prompts: {
    list: () => listPrompts(deps, principal),
    get: (name, args) => getPrompt(deps, principal, name, args)
  }
})
