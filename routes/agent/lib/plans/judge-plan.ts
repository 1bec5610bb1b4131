import { findAutoFacts } from '../../../../db/agent/calls.js'
import { findTaint, type Taint } from '../../../../db/agent/taint.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { MadePlan } from '../../../../lib/tools/make-plan.js'
import type { PolicyVerdict } from '../../../../schemas/account/policies.js'
import { ordinaryRequirement, type Requirement } from '../../../../schemas/agent/requirements.js'
import { ApiError, ForbiddenByPolicy, Overloaded, PoliciesUnavailable } from '../../../../schemas/errors.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import { findRepeated } from './find-edit.js'
import { findGrantFor } from './find-grant.js'
import type { Deps } from '../run/run-state.js'

/** What becomes of a planned write before anybody is asked. */
export type Verdict =
  | { kind: 'ask', requirement: Requirement }
  /** Runs without a question; `by` says what allows it, as `decided_by` of the call. */
  | { kind: 'run', by: string }
  | { kind: 'forbid', code: string, reason: string }

/** Whose write it is, and in which conversation. */
export interface Asking {
  actor: Principal
  session_id: string
  run_id: string
  /** A trigger's run proposed it: not stored yet where it is asked. */
  triggered?: boolean
}

const askingOne: Verdict = { kind: 'ask', requirement: ordinaryRequirement }

/** @returns such as `policy:v3:staging,fast`, which a person reads */
const byPolicies = (version: number, { policies }: PolicyVerdict): string => `policy:v${version}:${policies.join(',')}`

const toVerdict = (verdict: PolicyVerdict, version: number): Verdict => {
  const { outcome, reason, requirement } = verdict
  if (outcome === 'forbid') {
    return { kind: 'forbid', code: ForbiddenByPolicy.code, reason: reason ?? ForbiddenByPolicy.title }
  }
  if (outcome === 'run') return { kind: 'run', by: byPolicies(version, verdict) }
  return { kind: 'ask', requirement: requirement ?? ordinaryRequirement }
}

const taintOf = async ({ db, tools }: Deps, { actor, session_id, run_id, triggered }: Asking): Promise<Taint> =>
  triggered ? { tainted: true, trigger: true } : findTaint(db, actor.workspace_id, session_id, run_id, tools.foreign())

const byRules = async (deps: Deps, asking: Asking, tool: Tool, plan: MadePlan): Promise<Verdict> => {
  const { workspace_id: workspaceId } = asking.actor
  if (!await deps.policies.of(workspaceId)) return askingOne
  const taint = await taintOf(deps, asking)
  const verdict = await deps.policies.judge({ principal: asking.actor, tool, plan, ...taint })
  const held = await deps.policies.of(workspaceId)
  return verdict && held ? toVerdict(verdict, held.version) : askingOne
}

/** What nobody could judge now does not run, and nobody is asked: the next attempt is judged. */
const forbidUnjudged = (error: unknown): Verdict => {
  if (!(error instanceof ApiError) || error.code !== Overloaded.code) throw error
  return { kind: 'forbid', code: PoliciesUnavailable.code, reason: `${PoliciesUnavailable.title}: ${error.message}` }
}

/** A grant stands for the approval that a question needs, if its person could give it. */
const byGrant = async (deps: Deps, asking: Asking, tool: Tool, plan: MadePlan, asked: Requirement):
Promise<Verdict | undefined> => {
  if (!await deps.policies.mayHaveGrants(asking.actor.workspace_id)) return undefined
  const grant = await findGrantFor(deps, asking, { tool, plan, requirement: asked })
  return grant && { kind: 'run', by: `grant:${grant.id}` }
}

/**
 * What is not known to have been done is not repeated unasked, nor what may have run before the database was replaced,
 * nor what a person had changed when it was asked before: a person decides these.
 */
const mayRunUnasked = async ({ db }: Deps, { actor, session_id, run_id }: Asking, tool: Tool, plan: MadePlan) => {
  const facts = await findAutoFacts(db, actor.workspace_id, { session_id, run_id },
    { name: tool.name, args: plan.arguments })
  if (facts.is_unknown || facts.is_before_failover) return false
  const repeated = await findRepeated({ db }, actor.workspace_id, session_id, tool.name, plan)
  return repeated.length === 0
}

/** Judges a plan by the rules of the workspace. Without any, one person is asked, who may be the one who asked. */
export const judgePlan = async (deps: Deps, asking: Asking, tool: Tool, plan: MadePlan): Promise<Verdict> => {
  const ruled = await byRules(deps, asking, tool, plan).catch(forbidUnjudged)
  const verdict = ruled.kind === 'ask' ? await byGrant(deps, asking, tool, plan, ruled.requirement) ?? ruled : ruled
  if (verdict.kind !== 'run' || await mayRunUnasked(deps, asking, tool, plan)) return verdict
  return ruled.kind === 'ask' ? ruled : askingOne
}
