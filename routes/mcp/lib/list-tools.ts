import type { Tool as McpTool } from '@modelcontextprotocol/sdk/types.js'
import { hasRole, hasScope, type Principal } from '../../../lib/security/principal.js'
import { finder } from '../../../lib/tools/finder.js'
import type { Tool, Tools } from '../../../plugins/tools.js'

/** Fetches the outcome of a proposed write, in the words of an MCP client: the assistant gets outcomes by itself. */
export const outcomeTool: McpTool = {
  name: 'getToolCall',
  title: 'Outcome of a proposed write',
  description: 'Where a write stands that was proposed before: awaiting a person, decided, or ended with its result. ' +
    'wait_s waits up to that many seconds for the end.',
  inputSchema: {
    type: 'object',
    properties: {
      tool_call_id: { type: 'string', format: 'uuid' },
      wait_s: { type: 'integer', minimum: 0, maximum: 60 }
    },
    required: ['tool_call_id'],
    additionalProperties: false
  },
  annotations: { readOnlyHint: true, openWorldHint: false }
}

const asks = 'Asks a person first: answers a pending approval, and executes nothing before it is given.'

/** Proposing and fetching are operations of the agent's area, so they need its rights too. */
export const mayPropose = (principal: Principal): boolean =>
  hasRole(principal, 'member') && hasScope(principal, 'agent:write') && hasScope(principal, 'agent:read')

const toMcp = (tool: Tool): McpTool => {
  const { name, description, input_schema } = tool.model
  const reads = tool.effect === 'read'
  return {
    name,
    description: reads ? description : `${description} ${asks}`,
    // Made from the route's parts: an object schema with properties.
    inputSchema: input_schema as McpTool['inputSchema'],
    annotations: {
      readOnlyHint: reads,
      destructiveHint: !reads && tool.options?.additive !== true,
      idempotentHint: reads,
      openWorldHint: true
    }
  }
}

/** @returns the tools of the assistant that the principal may use, and the one that fetches outcomes */
export const listTools = (tools: Tools, principal: Principal): McpTool[] => {
  const proposes = mayPropose(principal)
  // A client of MCP has the whole list: there is nothing to find.
  const usable = tools.list(principal).filter(({ name }) => name !== finder && name !== outcomeTool.name)
    .flatMap(({ name }) => tools.find(name) ?? [])
    .filter((tool) => tool.effect === 'read' || proposes)
  return [...usable.map(toMcp), ...(proposes ? [outcomeTool] : [])]
}
