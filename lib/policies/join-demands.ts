import type { GroupDemand, Requirement } from '../../schemas/agent/requirements.js'

/** Whether who meets the first meets the second, too. */
const covers = (a: GroupDemand, b: GroupDemand): boolean =>
  a.approvals >= b.approvals && a.groups.every((id) => b.groups.includes(id)) &&
  a.escalate_to.every((id) => b.escalate_to.includes(id) || b.groups.includes(id))

/** @returns the demands that none of the others covers, and all groups of which people count */
export const joinDemands = (demands: readonly GroupDemand[]): Pick<Requirement, 'groups' | 'each'> => {
  const each = demands.filter((one, index) => !demands.some((other, at) => at !== index && covers(other, one) &&
    (at < index || !covers(one, other))))
  return { groups: [...new Set(each.flatMap(({ groups }) => groups))], each }
}
