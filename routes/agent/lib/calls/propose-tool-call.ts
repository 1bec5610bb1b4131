import { v7 as uuid } from 'uuid'
import { findConfirmation } from '../../../../db/agent/confirmations.js'
import { findWaitingCall } from '../../../../db/agent/tool-calls.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import type { ProposeToolCall } from '../../../../schemas/agent/tool-calls.js'
import { fieldsOf } from '../../../../schemas/unknown.js'
import type { Engine } from '../loop/engine.js'
import { ConfirmationNotFound, ToolCallRefused, ToolNotFound, ToolOnlyReads } from '../errors.js'
import { planProposals, type PlannedCall } from './plan-calls.js'
import type { Deps } from '../run/run-state.js'
import { client, newPart, newState, storeProposal, type Proposer } from './store-proposal.js'

/** @throws tool_not_found, tool_only_reads */
export const requireTool = async (deps: Deps, principal: Principal, name: string): Promise<Tool> => {
  await deps.tools.prepare(principal.workspace_id, [name])
  const tool = deps.tools.find(name, principal.workspace_id)
  if (!tool || !deps.tools.mayUse(principal, tool)) throw ToolNotFound(`There is no tool ${name} for this person`)
  if (tool.effect === 'read') throw ToolOnlyReads()
  return tool
}

/** @returns the thread that a proposal goes on with. @throws confirmation_not_found */
const requireThread = async (deps: Deps, { workspace_id, user_id }: Principal, id: string): Promise<string> => {
  const asked = await findConfirmation(deps.db, workspace_id, id)
  if (asked?.user_id !== user_id || asked.changes === null) {
    throw ConfirmationNotFound('There is no such confirmation of yours in which a person asked for changes')
  }
  return asked.thread_id ?? asked.id
}

/** Puts a proposed question on the thread that it follows. @throws confirmation_not_found */
export const joinThread = async (deps: Deps, principal: Principal, { confirmation }: PlannedCall, follows?: string) => {
  if (confirmation && follows !== undefined) confirmation.thread_id = await requireThread(deps, principal, follows)
}

/** @throws tool_call_refused with the cause, for what cannot be asked */
export const requirePlanned = ({ row }: PlannedCall, step?: number): void => {
  if (row.result_model === null) return
  const cause = { ...fieldsOf(row.result), status: row.http_status }
  throw ToolCallRefused(undefined, { cause, ...(step !== undefined && { step }) })
}

/**
 * Asks a person to approve one write that a client of the API proposes, in a run of its own. Proposed again while it
 * waits, it is the same call. One that only reads, such as a dry run, needs no approval, nor what policies let run.
 * @returns the call's id
 * @throws tool_not_found, tool_only_reads, tool_call_refused with the cause, too_many_waiting, confirmation_not_found
 */
export const proposeToolCall = async (deps: Deps, engine: Engine, principal: Principal, body: ProposeToolCall,
  proposer: Proposer = client) => {
  const tool = await requireTool(deps, principal, body.name)
  const state = await newState(deps, principal, tool.name, proposer)
  let executes = false
  try {
    const messageId = uuid()
    const part = newPart(body.name, body.arguments)
    const [plan] = await planProposals(deps, state, messageId, [part])
    if (!plan) throw new Error('A call has no plan')
    requirePlanned(plan)
    await joinThread(deps, principal, plan, body.follows)
    const { workspace_id, user_id } = principal
    const waiting = await findWaitingCall(deps.db, workspace_id, user_id, plan.row.input_digest)
    if (waiting) return waiting.id
    const proposed = { messageId, parts: [part], plans: [plan] }
    executes = await storeProposal(deps, engine, principal, state, proposed, proposer)
    return plan.row.id
  } finally {
    if (!executes) state.channel.close()
  }
}
