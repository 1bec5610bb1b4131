import { v7 as uuid } from 'uuid'
import { listCalls } from '../../../../db/agent/calls.js'
import { findWaitingCall } from '../../../../db/agent/tool-calls.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ProposedPlan, ProposePlan } from '../../../../schemas/agent/tool-calls.js'
import type { Engine } from '../loop/engine.js'
import { planProposals, type PlannedCall } from './plan-calls.js'
import { joinThread, requirePlanned, requireTool } from './propose-tool-call.js'
import type { Deps } from '../run/run-state.js'
import { showToolCall } from './show-tool-call.js'
import { client, newPart, newState, storeProposal, type Proposed } from './store-proposal.js'

/** @returns the ids of the same calls, proposed together before and still waiting; undefined when there are none */
const findSame = async (deps: Deps, { workspace_id, user_id }: Principal, plans: readonly PlannedCall[]) => {
  const first = plans.find(({ confirmation }) => confirmation)
  const waiting = first && await findWaitingCall(deps.db, workspace_id, user_id, first.row.input_digest)
  const calls = waiting ? await listCalls(deps.db, workspace_id, waiting.run_id) : []
  const isSame = calls.length === plans.length && calls.every(({ input_digest: digest, status }, index) =>
    status === 'awaiting' && digest === plans[index]?.row.input_digest)
  return isSame ? calls.map(({ id }) => id) : undefined
}

/** Plans and stores the calls as one turn. @returns their ids */
const propose = async (deps: Deps, engine: Engine, principal: Principal, { calls }: ProposePlan): Promise<string[]> => {
  const state = await newState(deps, principal, `Plan of ${calls.length} steps`, client)
  let executes = false
  try {
    const messageId = uuid()
    const parts = calls.map(({ name, arguments: args }) => newPart(name, args))
    const plans = await planProposals(deps, state, messageId, parts)
    for (const [index, plan] of plans.entries()) {
      requirePlanned(plan, index + 1)
      await joinThread(deps, principal, plan, calls[index]?.follows)
    }
    const same = await findSame(deps, principal, plans)
    if (same) return same
    const proposed: Proposed = { messageId, parts, plans }
    executes = await storeProposal(deps, engine, principal, state, proposed, client)
    return plans.map(({ row }) => row.id)
  } finally {
    if (!executes) state.channel.close()
  }
}

/**
 * Asks a person to approve several writes that a client proposes together, as a turn of the assistant does: they form a
 * plan of steps. Proposed again while they all wait, they are the same calls.
 * @throws as proposeToolCall; one that cannot be asked refuses them all, and is named by its step
 */
export const proposePlan = async (deps: Deps, engine: Engine, principal: Principal, body: ProposePlan):
Promise<ProposedPlan> => {
  for (const { name } of body.calls) await requireTool(deps, principal, name)
  const ids = await propose(deps, engine, principal, body)
  const items = await Promise.all(ids.map((id) => showToolCall(deps, principal, id)))
  const [first] = items
  if (!first) throw new Error('A plan has calls')
  return { session_id: first.session_id, run_id: first.run_id, items }
}
