import { findAutoFacts, findEditedCall } from '../../../../db/agent/calls.js'
import { hasPasskeys } from '../../../../db/account/passkeys.js'
import { findTaint, type Taint } from '../../../../db/agent/taint.js'
import { listNames } from '../../../../lib/account/people.js'
import { joinDemands } from '../../../../lib/policies/judge.js'
import { isHarmless, waysIn } from '../../../../lib/security/ways-in.js'
import { isSameJson } from '../../../../lib/tools/digest.js'
import type { MadePlan } from '../../../../lib/tools/make-plan.js'
import type { Arguments } from '../../../../lib/tools/options.js'
import { showLine } from '../../../../lib/tools/show-text.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import type { PolicyVerdict } from '../../../../schemas/account/policies.js'
import type { PreviewRow } from '../../../../schemas/agent/events.js'
import { ordinaryRequirement, type Requirement, type GroupDemand } from '../../../../schemas/agent/requirements.js'
import { ApiError, ForbiddenByPolicy, Overloaded, PoliciesUnavailable } from '../../../../schemas/errors.js'
import type { Deps } from '../run/run-state.js'
import { findGrantFor, type Asking } from './grants.js'

/** @returns the names of the arguments in which two calls differ */
export const changedArguments = (before: Arguments, after: Arguments): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !isSameJson(before[name] ?? null, after[name] ?? null))

/** An argument that a person had changed, and that a call has again as it was before. */
interface Repeated { name: string, from: unknown, to: unknown, by: string }

type Planned = Pick<MadePlan, 'arguments' | 'target'>

/** @returns what of a plan takes back what a person had changed when the same was asked before in the session */
export const findRepeated = async ({ db }: Pick<Deps, 'db'>, workspaceId: string, sessionId: string, name: string,
  { arguments: args, target }: Planned): Promise<Repeated[]> => {
  const edited = await findEditedCall(db, workspaceId, sessionId, { name, target })
  if (!edited) return []
  const { proposed, arguments: ran, by } = edited
  return changedArguments(proposed, ran)
    .filter((field) => isSameJson(args[field] ?? null, proposed[field] ?? null))
    .map((field) => ({ name: field, from: proposed[field], to: ran[field], by }))
}

const asText = (value: unknown): string => value === undefined || value === null ? 'nothing' : JSON.stringify(value)

/** @returns a row for each such argument: who had changed it, and how */
export const repeatedRows = async ({ db }: Pick<Deps, 'db'>, workspaceId: string, repeated: readonly Repeated[]):
Promise<PreviewRow[]> => {
  if (repeated.length === 0) return []
  const names = await listNames(db, workspaceId, repeated.map(({ by }) => by))
  return repeated.map(({ name, from, to, by }) => ({
    label: 'Changed before',
    before: null,
    after: showLine(`${names.get(by) ?? 'A person'} changed ${name} from ${asText(from)} to ${asText(to)} ` +
      'when this was asked before in this conversation')
  }))
}

/** @returns the requirement of a question as it is stored: without one, one person suffices */
export const requirementOf = ({ requirement }: { requirement: Requirement | null }): Requirement =>
  requirement ?? ordinaryRequirement

type Groups = Pick<Requirement, 'groups' | 'escalate' | 'each'>

const demandsOf = ({ approvals, groups, escalate, each }: Requirement): readonly GroupDemand[] =>
  each ?? (groups.length > 0 ? [{ approvals, groups, escalate_to: escalate?.groups ?? [] }] : [])

/**
 * Who counts for both. Where nobody would, as after groups were exchanged for others, it is as the rules say now.
 * Groups to which it goes after a time belong to the rules that named the groups before them.
 */
const groupsOfBoth = (stored: Requirement, judged: Requirement): Groups => {
  if (stored.each ?? judged.each) {
    const { escalate } = judged.groups.length === 0 ? stored : judged
    return { ...joinDemands([...demandsOf(stored), ...demandsOf(judged)]), escalate }
  }
  if (judged.groups.length === 0) return { groups: stored.groups, escalate: stored.escalate }
  const both = judged.groups.filter((id) => stored.groups.includes(id))
  return { groups: both.length > 0 ? both : judged.groups, escalate: judged.escalate }
}

/**
 * What a question needs that was asked under one requirement and is judged again under another: never less than
 * either asks for.
 */
export const stricterRequirement = (stored: Requirement, judged: Requirement): Requirement => {
  const both: Requirement = {
    ...stored,
    ...groupsOfBoth(stored, judged),
    approvals: Math.max(stored.approvals, judged.approvals),
    exclude_requester: stored.exclude_requester || judged.exclude_requester,
    ...((stored.signed || judged.signed) && { signed: true })
  }
  if (isSameJson(both, stored)) return stored
  const { policy_version, policies } = judged
  return { ...both, policy_version, policies }
}

/** What becomes of a planned write before anybody is asked. */
export type Verdict =
  | { kind: 'ask', requirement: Requirement }
  /** Runs without a question; `by` says what allows it, as `decided_by` of the call. */
  | { kind: 'run', by: string }
  | { kind: 'forbid', code: string, reason: string }

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

/** What acts later in a person's name is signed by whoever can sign, as it is where it is done without the assistant. */
const takesSignature = async ({ db }: Deps, { actor }: Asking, tool: Tool, plan: MadePlan): Promise<boolean> =>
  waysIn[tool.operation] !== undefined && !isHarmless(tool.operation, plan.arguments) &&
  hasPasskeys(db, actor.workspace_id, actor.user_id)

const signedAs = (ruled: Verdict): Verdict =>
  ({ kind: 'ask', requirement: { ...ruled.kind === 'ask' ? ruled.requirement : ordinaryRequirement, signed: true } })

/** Judges a plan by the rules of the workspace. Without any, one person is asked, who may be the one who asked. */
export const judgePlan = async (deps: Deps, asking: Asking, tool: Tool, plan: MadePlan): Promise<Verdict> => {
  const ruled = await byRules(deps, asking, tool, plan).catch(forbidUnjudged)
  if (ruled.kind !== 'forbid' && await takesSignature(deps, asking, tool, plan)) return signedAs(ruled)
  const verdict = ruled.kind === 'ask' ? await byGrant(deps, asking, tool, plan, ruled.requirement) ?? ruled : ruled
  if (verdict.kind !== 'run' || await mayRunUnasked(deps, asking, tool, plan)) return verdict
  return ruled.kind === 'ask' ? ruled : askingOne
}
