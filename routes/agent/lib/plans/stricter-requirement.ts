import { isSameJson } from '../../../../lib/tools/digest.js'
import { joinDemands } from '../../../../lib/policies/join-demands.js'
import { ordinaryRequirement, type GroupDemand, type Requirement } from '../../../../schemas/agent/requirements.js'

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
