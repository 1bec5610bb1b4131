import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { bodyOf, type RouteAnswer } from '../../../lib/http/call-route.js'
import { pageUrl } from '../../../lib/http/addresses.js'
import type { Principal } from '../../../lib/security/principal.js'
import { redactRead } from '../../../lib/security/redaction.js'
import { fitResult, fitStructure } from '../../../lib/tools/fit-result.js'
import type { Answer } from '../../../plugins/tools.js'
import { ToolCall } from '../../../schemas/agent/tool-calls.js'
import { fieldsOf, isObject, textIn } from '../../../schemas/unknown.js'
import { writeOutput, type Output, againTool } from './own-tools.js'

type Deps = Pick<FastifyInstance, 'config'>

/** @returns undefined for what is no JSON */
const parse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** A secret that was taken out may have taken the JSON's form with it: then it is text. */
const fit = (json: string, maxBytes: number): string => {
  const value = parse(json)
  return value === undefined ? fitResult(json, JSON.stringify(json), maxBytes) : fitResult(value, json, maxBytes)
}

const hidden = '[redacted]'

/** Every text, with its form kept. */
const hideTexts = (value: unknown): unknown => {
  if (typeof value === 'string') return hidden
  if (Array.isArray(value)) return value.map(hideTexts)
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hideTexts(inner)]))
    : value
}

/** The answer in the form that the schema promises; what is not whole is marked so. */
const structure = (deps: Deps, { fits }: Output, body: unknown, redacted: string): Partial<CallToolResult> => {
  const safe = parse(redacted)
  // A secret that spanned several texts took the form with it: which of them hold a part of it cannot be said.
  const value = fits(safe) ? safe : hideTexts(body)
  const fitted = isObject(value) ? fitStructure(value, deps.config.limits.result_model_bytes) : undefined
  // A result without the promised form is an error: only its text can be read.
  if (!fitted) return { isError: true }
  return { structuredContent: fitted.value, ...(fitted.isCut && { _meta: { 'steward/cut': true } }) }
}

/**
 * What a model sees of an answer: redacted and capped as for the assistant; a problem is an error of the tool.
 * @param output the form that the tool promises to programs
 */
export const toResult = (deps: Deps, { status, body }: Answer, output?: Output): CallToolResult => {
  const redacted = redactRead(JSON.stringify(body))
  const content = [{ type: 'text' as const, text: fit(redacted, deps.config.limits.result_model_bytes) }]
  if (status >= 300) return { content, isError: true }
  return output ? { content, ...structure(deps, output, body, redacted) } : { content }
}

const next = 'Nothing was executed. A person asks for changes: their words are in `changes`. ' +
  `Call ${againTool.name} with this tool_call_id and arguments that follow them.`

/** @returns a call as its client reads it; what a person wants changed says how to go on */
export const toOutcome = (deps: Deps, { status, body }: Answer): CallToolResult => {
  const isForChange = textIn(fieldsOf(body).result, 'code') === 'changes_requested'
  return toResult(deps, { status, body: isForChange ? { next, ...fieldsOf(body) } : body }, writeOutput)
}

type TaskDeps = Pick<FastifyInstance, 'tools' | 'config' | 'workspaces'>

const toolCallsUrl = '/api/v1/agent/tool-calls'

/** A client is not asked more often; a person needs longer, and a write takes seconds. */
const pollMs = { waits: 5_000, runs: 1_000 }

/** Open: a request carries more than we read, such as the answers to what was asked. */
export const TaskParams = Type.Object({ taskId: Type.String({ minLength: 1, maxLength: 64 }) })

const ended: readonly string[] = ['cancelled', 'superseded']

/** @returns the call; undefined when there is none of this principal's under the id */
const findCall = async (deps: TaskDeps, principal: Principal, id: string): Promise<ToolCall | undefined> => {
  const url = `${toolCallsUrl}/${encodeURIComponent(id)}`
  const { status, body } = await deps.tools.send(principal, { method: 'GET', url })
  const answer: RouteAnswer = { status, body: fieldsOf(body) }
  return status === 404 || status === 400 ? undefined : bodyOf(answer, ToolCall)
}

const timeOf = (at: Date | string): string => new Date(at).toISOString()

const lastTime = ({ finished_at: end, confirmation, created_at: begin }: ToolCall): string =>
  timeOf(end ?? confirmation?.decided_at ?? confirmation?.requested_at ?? begin)

/** Who may show a person a page is asked to: what the person says there decides, never what the client answers. */
const askFor = (deps: TaskDeps, workspaceId: string, { confirmation }: ToolCall) => {
  if (confirmation === null) return {}
  const { id: elicitationId, summary } = confirmation
  const message = `${summary}. A person decides this under Approvals in Steward.`
  const params = { mode: 'url', elicitationId, url: pageUrl(deps, workspaceId, `/inbox/${elicitationId}`), message }
  return { [elicitationId]: { method: 'elicitation/create', params } }
}

/** What a task is at any time, beside its id. */
const stateOf = (deps: TaskDeps, workspaceId: string, call: ToolCall, showsPages: boolean) => {
  if (call.finished_at !== null) {
    if (ended.includes(call.status)) return { status: 'cancelled', statusMessage: 'It was cancelled and not executed' }
    const isDone = call.status === 'succeeded'
    const result = toOutcome(deps, { status: 200, body: call })
    return { status: 'completed', statusMessage: call.status, result: { ...result, isError: !isDone } }
  }
  if (call.status !== 'awaiting') return { status: 'working', statusMessage: 'It was approved and is under way' }
  const { confirmation } = call
  const page = pageUrl(deps, workspaceId, confirmation ? `/inbox/${confirmation.id}` : '/inbox')
  const statusMessage = `${confirmation?.summary ?? call.name}: waits for a person in ${page}`
  return showsPages
    ? { status: 'input_required', statusMessage, inputRequests: askFor(deps, workspaceId, call) }
    : { status: 'working', statusMessage }
}

/**
 * @param showsPages whether the client can show its person a page (elicitation of a URL)
 * @returns the call as a task (SEP-2663): its id is the call's, so any instance finds it, also after a crash
 */
export const toTask = (deps: TaskDeps, workspaceId: string, call: ToolCall, showsPages: boolean) => {
  const created = timeOf(call.created_at)
  const expires = call.confirmation && call.status === 'awaiting' ? new Date(call.confirmation.expires_at) : undefined
  return {
    taskId: call.tool_call_id,
    ...stateOf(deps, workspaceId, call, showsPages),
    createdAt: created,
    lastUpdatedAt: lastTime(call),
    ttlMs: expires ? expires.getTime() - new Date(created).getTime() : null,
    pollIntervalMs: call.status === 'awaiting' ? pollMs.waits : pollMs.runs
  }
}

/** @returns the task; undefined when there is none */
export const getTask = async (deps: TaskDeps, principal: Principal, id: string, showsPages: boolean) => {
  const call = await findCall(deps, principal, id)
  return call && toTask(deps, principal.workspace_id, call, showsPages)
}

/** Takes what a client answers, and decides nothing by it: a person does, in Steward. @returns whether it is there */
export const updateTask = async (deps: TaskDeps, principal: Principal, id: string): Promise<boolean> =>
  await findCall(deps, principal, id) !== undefined

/** Asks the call's run to stop; a write that is under way is awaited. @returns whether the task is there */
export const cancelTask = async (deps: TaskDeps, principal: Principal, id: string): Promise<boolean> => {
  const call = await findCall(deps, principal, id)
  if (call?.finished_at === null) {
    await deps.tools.send(principal, { method: 'POST', url: `/api/v1/agent/runs/${call.run_id}/cancel` })
  }
  return call !== undefined
}
