import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyInstance } from 'fastify'
import { fitResult } from '../../../lib/tools/fit-result.js'
import type { Principal } from '../../../lib/security/principal.js'
import { redactText } from '../../../lib/security/redaction.js'
import type { Arguments } from '../../../lib/tools/options.js'
import type { Answer, Tool } from '../../../plugins/tools.js'
import { ToolCall } from '../../../schemas/agent/tool-calls.js'
import { mayPropose, outcomeTool } from './list-tools.js'
import { fieldsOf } from '../../../schemas/unknown.js'
import { bodyOf } from '../../../lib/http/call-route.js'

type Deps = Pick<FastifyInstance, 'tools' | 'config'>

/** How long to wait for a call that needs no approval. */
const readWaitS = 60

const toolCallsUrl = '/api/v1/agent/tool-calls'

/** A secret that was taken out may have taken the JSON's form with it: then it is text. */
const fit = (json: string, maxBytes: number): string => {
  let value: unknown = json
  try {
    value = JSON.parse(json)
  } catch {
    return fitResult(value, JSON.stringify(value), maxBytes)
  }
  return fitResult(value, json, maxBytes)
}

/** What a model sees of an answer: redacted and capped as for the assistant; a problem is an error of the tool. */
const toResult = (deps: Deps, { status, body }: Answer): CallToolResult => {
  const text = fit(redactText(JSON.stringify(body)), deps.config.limits.result_model_bytes)
  return { content: [{ type: 'text', text }], ...(status < 300 ? {} : { isError: true }) }
}

const invalid = (tool: Tool, args: Arguments): CallToolResult | undefined => {
  const errors = tool.check(args)
  if (errors.length === 0) return undefined
  const text = JSON.stringify({ code: 'arguments_invalid', detail: 'The arguments do not fit the tool', errors })
  return { content: [{ type: 'text', text }], isError: true }
}

/** @returns the pending approval, as text for the model and as data for its client */
const toPending = (deps: Deps, call: ToolCall): CallToolResult => {
  const { tool_call_id, confirmation } = call
  const pending = {
    status: 'awaiting_approval',
    executed: false,
    tool_call_id,
    confirmation_id: confirmation?.id,
    summary: confirmation?.summary,
    preview: confirmation?.preview,
    risk: confirmation?.risk,
    expires_at: confirmation?.expires_at,
    inbox_url: deps.config.publicUrl,
    next: `A person decides this in the inbox. Then call ${outcomeTool.name} with the tool_call_id.`
  }
  return { content: [{ type: 'text', text: JSON.stringify(pending) }], structuredContent: pending }
}

const propose = async (deps: Deps, principal: Principal, name: string, args: Arguments): Promise<CallToolResult> => {
  const request = { method: 'POST' as const, url: toolCallsUrl, payload: { name, arguments: args } }
  const answer = await deps.tools.send(principal, request)
  if (answer.status !== 202) return toResult(deps, answer)
  const call = bodyOf({ status: answer.status, body: fieldsOf(answer.body) }, ToolCall)
  if (call.confirmation) return toPending(deps, call)
  // It only reads, so it needs no approval.
  return fetchOutcome(deps, principal, { tool_call_id: call.tool_call_id, wait_s: readWaitS })
}

const fetchOutcome = async (deps: Deps, principal: Principal, args: Arguments): Promise<CallToolResult> => {
  const url = `${toolCallsUrl}/${encodeURIComponent(String(args.tool_call_id))}?wait_s=${Number(args.wait_s ?? 0)}`
  return toResult(deps, await deps.tools.send(principal, { method: 'GET', url }))
}

/**
 * Calls a tool as the principal: a read through its route, a write as a proposal.
 * @returns undefined for a tool that is not there for this principal
 */
export const callTool = async (deps: Deps, principal: Principal, name: string, args: Arguments):
Promise<CallToolResult | undefined> => {
  if (name === outcomeTool.name && mayPropose(principal)) return fetchOutcome(deps, principal, args)
  const tool = deps.tools.find(name)
  if (!tool || !deps.tools.mayUse(principal, tool)) return undefined
  if (tool.effect === 'write') return mayPropose(principal) ? propose(deps, principal, name, args) : undefined
  return invalid(tool, args) ?? toResult(deps, await deps.tools.call(principal, tool, args))
}
