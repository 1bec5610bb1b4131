import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FastifyInstance } from 'fastify'
import { bodyOf } from '../../../lib/http/call-route.js'
import { pageUrl } from '../../../lib/http/page-url.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { Arguments } from '../../../lib/tools/options.js'
import { describeReasons } from '../../../lib/tools/risk.js'
import { ProposedPlan, ToolCall } from '../../../schemas/agent/tool-calls.js'
import { fieldsOf, textIn } from '../../../schemas/unknown.js'
import { readPlanOutput } from './output.js'
import { toOutcome, toResult } from './show-answer.js'

type Deps = Pick<FastifyInstance, 'tools' | 'config' | 'workspaces'>

const agentUrl = '/api/v1/agent'

const read = (deps: Deps, principal: Principal, url: string) =>
  deps.tools.send(principal, { method: 'GET', url: `${agentUrl}${url}` })

const next = 'A person decides these steps as one plan in the inbox: you cannot. getPlan shows each on what those ' +
  'before it leave, and later how far the plan has come. getToolCall has the outcome of each step.'

/** The question is not one of several that wait: it was decided, or it waits alone. */
const elsewhere = new Set<string | undefined>(['steps_not_found', 'confirmation_closed'])

/** @returns what is pending, as text for the model and as data for its client, without what only the inbox needs */
export const proposePlan = async (deps: Deps, principal: Principal, { calls }: Arguments): Promise<CallToolResult> => {
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
export const readPlan = async (deps: Deps, principal: Principal, { tool_call_id: id }: Arguments):
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
