import type { Requirement } from '../../../../schemas/agent/requirements.js'

/** Groups that count for one step do not count for another that names its own. */
const groupsFor = (own: Requirement, all: readonly Requirement[]): Pick<Requirement, 'groups' | 'escalate' | 'each'> => {
  const named = own.groups.length > 0 ? own : all.find(({ groups }) => groups.length > 0) ?? own
  return { groups: named.groups, escalate: named.escalate, ...(named.each && { each: named.each }) }
}

/** @returns the steps, each with what the strictest of them needs: they are decided together */
export const requireForAll = <T extends { requirement: Requirement }>(steps: readonly T[]): T[] => {
  const all = steps.map(({ requirement }) => requirement)
  const approvals = Math.max(...all.map((one) => one.approvals))
  const exclude_requester = all.some((one) => one.exclude_requester)
  const signed = all.some((one) => one.signed) && { signed: true }
  return steps.map((step) => {
    const { requirement } = step
    const groups = groupsFor(requirement, all)
    return { ...step, requirement: { ...requirement, ...groups, approvals, exclude_requester, ...signed } }
  })
}
