import type { Tool as McpTool } from '@modelcontextprotocol/server'
import { highestRole } from '../../../lib/access/role-on.js'
import { hasRole, hasScope, type Principal } from '../../../lib/security/principal.js'
import { finder } from '../../../lib/tools/finder.js'
import type { Tool } from '../../../lib/tools/tool.js'
import type { Tools } from '../../../plugins/tools.js'
import { outputFor } from './output.js'
import { ownTools } from './own-tools.js'

const asks = 'Asks a person first: answers a pending approval, and executes nothing before it is given.'

/** Proposing and fetching are operations of the agent's area, so they need its rights too. */
export const mayPropose = (principal: Principal): boolean =>
  hasRole({ role: highestRole(principal) }, 'operator') && hasScope(principal, 'agent:write') &&
  hasScope(principal, 'agent:read')

/** Areas whose operations reach nothing but Steward's own database. */
const closed: readonly string[] = ['account', 'agent', 'record', 'service']

/** Whether it meets things that others run, or texts that others wrote. */
const isOpen = ({ access, words }: Tool): boolean => {
  const [area = ''] = access?.scope.split(':') ?? []
  return words.foreign || !closed.includes(area)
}

const toMcp = (tool: Tool): McpTool => {
  const { name, description, input_schema } = tool.model
  const reads = tool.effect === 'read'
  const output = outputFor(tool)
  return {
    name,
    title: tool.title,
    description: reads ? description : `${description} ${asks}`,
    // Made from the route's parts: an object schema with properties.
    inputSchema: input_schema as McpTool['inputSchema'],
    ...(output && { outputSchema: output.schema }),
    annotations: {
      readOnlyHint: reads,
      destructiveHint: !reads && tool.options?.additive !== true,
      idempotentHint: tool.isIdempotent,
      openWorldHint: isOpen(tool)
    }
  }
}

const ownNames = new Set(ownTools.map(({ name }) => name))

/** @returns the tools of the assistant that the principal may use, and those of a client that proposes */
export const listTools = (tools: Tools, principal: Principal): McpTool[] => {
  const proposes = mayPropose(principal)
  // A client of MCP has the whole list: there is nothing to find.
  const usable = tools.list(principal).filter(({ name }) => name !== finder && !ownNames.has(name))
    .flatMap(({ name }) => tools.find(name) ?? [])
    .filter((tool) => tool.effect === 'read' || proposes)
  return [...usable.map(toMcp), ...(proposes ? ownTools : [])]
}
