import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FastifyInstance } from 'fastify'
import { bodyOf } from '../../../lib/http/call-route.js'
import { pageUrl } from '../../../lib/http/addresses.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { Arguments } from '../../../lib/tools/options.js'
import { describeReasons } from '../../../lib/tools/risk.js'
import type { Tool } from '../../../lib/tools/tool.js'
import type { Answer } from '../../../plugins/tools.js'
import { ToolCall, ProposedPlan } from '../../../schemas/agent/tool-calls.js'
import { fieldsOf, textIn } from '../../../schemas/unknown.js'
import {
  mayPropose, outputFor, readPlanOutput, againTool, checkAgain, checkFind, checkNamed, checkOutcome, checkPlan,
  checkReadPlan, findTool, findTools, outcomeTool, planTool, proposeWithTool, readPlanTool, readWithTool
} from './own-tools.js'
import { isOffered, type Selection } from './selection.js'
import type { ToolRequest } from './offer.js'
import { toOutcome, toResult, toTask } from './tasks.js'

type Deps = Pick<FastifyInstance, 'tools' | 'config' | 'workspaces'>

const agentUrl = '/api/v1/agent'

const read = (deps: Deps, principal: Principal, url: string) =>
  deps.tools.send(principal, { method: 'GET', url: `${agentUrl}${url}` })

const next = 'A person decides these steps as one plan under Approvals: you cannot. getPlan shows each on what those ' +
  'before it leave, and later how far the plan has come. getToolCall has the outcome of each step.'

/** The question is not one of several that wait: it was decided, or it waits alone. */
const elsewhere = new Set<string | undefined>(['steps_not_found', 'confirmation_closed'])

/** @returns what is pending, as text for the model and as data for its client, without what only the inbox needs */
const proposePlan = async (deps: Deps, principal: Principal, { calls }: Arguments): Promise<CallToolResult> => {
  const answer = await deps.tools.send(principal, {
    method: 'POST', url: `${agentUrl}/tool-calls/plan`, payload: { calls }
  })
  if (answer.status !== 202) return toResult(deps, answer)
  const { items } = bodyOf({ status: answer.status, body: fieldsOf(answer.body) }, ProposedPlan)
  const waiting = items.filter(({ status }) => status === 'awaiting').length
  const asked = items.find(({ confirmation }) => confirmation)?.confirmation
  const pending = {
    status: waiting > 0 ? 'awaiting_approval' : 'running',
    // What policies let run does so at once.
    ...(waiting === items.length && { executed: false }),
    steps: items.map(({ tool_call_id, name, status, confirmation }, index) => ({
      step: index + 1,
      tool_call_id,
      name,
      status,
      confirmation_id: confirmation?.id ?? null,
      ...(confirmation && {
        summary: confirmation.summary,
        preview: confirmation.preview,
        risk: confirmation.risk,
        risk_because: describeReasons(confirmation.risk_reasons ?? [])
      })
    })),
    inbox_url: pageUrl(deps, principal.workspace_id, asked ? `/inbox/${asked.id}/plan` : '/inbox'),
    next
  }
  return { content: [{ type: 'text', text: JSON.stringify(pending) }], structuredContent: pending }
}

/** @returns a question of the call, or of one that it waits for; undefined where nothing of its run was asked */
const findQuestion = async (deps: Deps, principal: Principal, { confirmation, run_id }: ToolCall) => {
  if (confirmation) return confirmation.id
  const { body } = await read(deps, principal, `/confirmations?status=all&limit=1&run_id=${run_id}`)
  const { items } = fieldsOf(body)
  return Array.isArray(items) ? textIn(items[0], 'id') : undefined
}

/** @returns the plan as it waits, else how far it has come, else the call, which is in none */
const readPlan = async (deps: Deps, principal: Principal, { tool_call_id: id }: Arguments):
Promise<CallToolResult> => {
  const call = await read(deps, principal, `/tool-calls/${encodeURIComponent(String(id))}`)
  if (call.status !== 200) return toResult(deps, call)
  const question = await findQuestion(deps, principal, bodyOf({ status: 200, body: fieldsOf(call.body) }, ToolCall))
  if (question === undefined) return toOutcome(deps, call)
  for (const url of [`/confirmations/${question}/steps`, `/confirmations/${question}/steps/progress`]) {
    const answer = await read(deps, principal, url)
    if (!elsewhere.has(textIn(answer.body, 'code'))) return toResult(deps, answer, readPlanOutput)
  }
  return toOutcome(deps, call)
}

/** How long to wait for a call that needs no approval. */
const readWaitS = 60

/** How often a client that asked for it hears of progress. */
const sliceS = 5

const isUnderWay = ({ status, body }: Answer): boolean => status < 300 && fieldsOf(body).finished_at === null

const toolCallsUrl = '/api/v1/agent/tool-calls'

/** Checks arguments by a compiled schema. */
type Check = Tool['check']

const invalid = (check: Check, args: Arguments): CallToolResult | undefined => {
  const errors = check(args)
  if (errors.length === 0) return undefined
  const text = JSON.stringify({ code: 'arguments_invalid', detail: 'The arguments do not fit the tool', errors })
  return { content: [{ type: 'text', text }], isError: true }
}

/** Whether it needs more than one person who may be the one who asked. */
const isForOthers = (confirmation: ToolCall['confirmation']): boolean => {
  const { approvals = 1, groups = [], exclude_requester = false } = confirmation?.requirement ?? {}
  return approvals > 1 || groups.length > 0 || exclude_requester
}

/** @returns the pending approval, as text for the model and as data for its client */
const toPending = (deps: Deps, workspaceId: string, call: ToolCall): CallToolResult => {
  const { tool_call_id, confirmation } = call
  const pending = {
    status: 'awaiting_approval',
    executed: false,
    tool_call_id,
    confirmation_id: confirmation?.id,
    summary: confirmation?.summary,
    preview: confirmation?.preview,
    risk: confirmation?.risk,
    risk_because: describeReasons(confirmation?.risk_reasons ?? []),
    expires_at: confirmation?.expires_at,
    ...(isForOthers(confirmation) && { waits_for: confirmation?.waits_for }),
    inbox_url: pageUrl(deps, workspaceId, confirmation ? `/inbox/${confirmation.id}` : '/inbox'),
    next: `A person decides this under Approvals. Then call ${outcomeTool.name} with the tool_call_id.`
  }
  return { content: [{ type: 'text', text: JSON.stringify(pending) }], structuredContent: pending }
}

/** @param follows the question in which a person asked for changes */
const propose = async (deps: Deps, principal: Principal, request: ToolRequest, follows?: string):
Promise<CallToolResult> => {
  const { name, args, asTask } = request
  const payload = { name, arguments: args, ...(follows !== undefined && { follows }) }
  const answer = await deps.tools.send(principal, { method: 'POST', url: toolCallsUrl, payload })
  if (answer.status !== 202) return toResult(deps, answer)
  const call = bodyOf({ status: answer.status, body: fieldsOf(answer.body) }, ToolCall)
  // A task has the extension's own shape beside that of a result.
  if (call.confirmation && asTask) {
    return { content: [], resultType: 'task', ...toTask(deps, principal.workspace_id, call, false) }
  }
  if (call.confirmation) return toPending(deps, principal.workspace_id, call)
  // It only reads, so it needs no approval.
  return fetchOutcome(deps, principal, request, { tool_call_id: call.tool_call_id, wait_s: readWaitS })
}

const fetchOnce = async (deps: Deps, principal: Principal, id: unknown, waitS: number): Promise<Answer> => {
  const url = `${toolCallsUrl}/${encodeURIComponent(String(id))}?wait_s=${waitS}`
  return deps.tools.send(principal, { method: 'GET', url })
}

/** Waits in slices for a client that asked for progress, and for one that has given up no longer. */
const fetchOutcome = async (deps: Deps, principal: Principal, { progress, signal }: ToolRequest, args: Arguments):
Promise<CallToolResult> => {
  const total = Number(args.wait_s ?? 0)
  if (!progress) return toOutcome(deps, await fetchOnce(deps, principal, args.tool_call_id, total))
  let answer = await fetchOnce(deps, principal, args.tool_call_id, 0)
  for (let waited = 0; waited < total && isUnderWay(answer) && !signal.aborted;) {
    await progress({ progress: waited, total, message: `The call is ${textIn(answer.body, 'status')}` })
    const slice = Math.min(sliceS, total - waited)
    answer = await fetchOnce(deps, principal, args.tool_call_id, slice)
    waited += slice
  }
  return toOutcome(deps, answer)
}

/** Goes on with the thread of a call that a person wants changed. */
const proposeAgain = async (deps: Deps, principal: Principal, request: ToolRequest):
Promise<CallToolResult> => {
  const { args } = request
  const url = `${toolCallsUrl}/${encodeURIComponent(String(args.tool_call_id))}`
  const answer = await deps.tools.send(principal, { method: 'GET', url })
  if (answer.status !== 200) return toResult(deps, answer)
  const { name, confirmation } = bodyOf({ status: answer.status, body: fieldsOf(answer.body) }, ToolCall)
  if (confirmation === null || confirmation.changes === null) {
    const detail = 'Nobody asked for changes of this call: propose another by its own tool'
    return toResult(deps, { status: 409, body: { code: 'changes_not_requested', detail } })
  }
  return propose(deps, principal, { ...request, name, args: fieldsOf(args.arguments) }, confirmation.id)
}

interface OwnCall {
  check: Check
  answer: (deps: Deps, principal: Principal, request: ToolRequest) => Promise<CallToolResult>
}

const ownCalls = new Map<string, OwnCall>([
  [outcomeTool.name,
    { check: checkOutcome, answer: (deps, by, request) => fetchOutcome(deps, by, request, request.args) }],
  [againTool.name, { check: checkAgain, answer: proposeAgain }],
  [planTool.name, { check: checkPlan, answer: (deps, by, { args }) => proposePlan(deps, by, args) }],
  [readPlanTool.name, { check: checkReadPlan, answer: (deps, by, { args }) => readPlan(deps, by, args) }]
])

/** @returns the answer of a tool of a route; undefined for one that is not there for this principal */
const callNamed = async (deps: Deps, principal: Principal, selection: Selection, request: ToolRequest):
Promise<CallToolResult | undefined> => {
  const { name, args } = request
  const tool = deps.tools.find(name)
  if (!tool || !deps.tools.mayUse(principal, tool) || !isOffered(selection, tool)) return undefined
  if (tool.effect === 'write') return mayPropose(principal) ? propose(deps, principal, request) : undefined
  return invalid(tool.check, args) ?? toResult(deps, await deps.tools.call(principal, tool, args), outputFor(tool))
}

const refuse = (deps: Deps, code: string, detail: string) => toResult(deps, { status: 422, body: { code, detail } })

/** Calls a tool that a search has found, by the tool for its kind: a client lets reads pass without asking. */
const callFound = async (deps: Deps, principal: Principal, selection: Selection, request: ToolRequest):
Promise<CallToolResult> => {
  const name = String(request.args.name)
  const tool = deps.tools.find(name)
  const fitting = tool?.effect === 'write' ? proposeWithTool.name : readWithTool.name
  if (tool && fitting !== request.name) {
    return refuse(deps, 'tool_kind', `${name} ${tool.effect === 'write' ? 'writes' : 'reads'}: call it with ${fitting}`)
  }
  const given = { ...request, name, args: fieldsOf(request.args.arguments) }
  return await callNamed(deps, principal, selection, given) ??
    refuse(deps, 'unknown_tool', `There is no tool ${name.slice(0, 64)} here: ${findTool.name} names those that there are`)
}

/**
 * Calls a tool as the principal: a read through its route, a write as a proposal.
 * @returns undefined for a tool that is not there for this principal
 */
export const callTool = async (deps: Deps, principal: Principal, selection: Selection, request: ToolRequest):
Promise<CallToolResult | undefined> => {
  const { name, args } = request
  const proposes = mayPropose(principal) && !selection.readOnly
  const own = proposes && ownCalls.get(name)
  if (own) return invalid(own.check, args) ?? own.answer(deps, principal, request)
  if (selection.of === 'core' && name === findTool.name) {
    const answer = (): CallToolResult => {
      const body = findTools(deps.tools, principal, selection, String(args.query))
      return { content: [{ type: 'text', text: JSON.stringify(body) }] }
    }
    return invalid(checkFind, args) ?? answer()
  }
  if (selection.of === 'core' && (name === readWithTool.name || (proposes && name === proposeWithTool.name))) {
    return invalid(checkNamed, args) ?? callFound(deps, principal, selection, request)
  }
  return callNamed(deps, principal, selection, request)
}
