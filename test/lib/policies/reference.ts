import type { PolicyInput } from '../../../lib/policies/policy-input.js'
import { groupIds, type GeneratedPolicy } from './grammar.js'

export interface Expected {
  outcome: 'forbid' | 'ask' | 'run'
  policies: string[]
  requirement: object | null
}

type State = 'matches' | 'fails' | 'apart'

const stateOf = ({ principal, actions, condition }: GeneratedPolicy, input: PolicyInput): State => {
  if (principal !== null && !input.person.groups.includes(groupIds[principal] ?? '')) return 'apart'
  if (actions.names !== null && !actions.names.includes(input.tool.name)) return 'apart'
  const held = condition ? condition.holds(input) : true
  return held === 'error' ? 'fails' : held ? 'matches' : 'apart'
}

const idsOf = (names: readonly string[]) => names.map((name) => groupIds[name] ?? '').sort()

/** Compares every pair, as the rule is written in docs/policies.md. */
const strictestOf = (asking: readonly GeneratedPolicy[]): GeneratedPolicy[] => {
  const left = [...asking]
  const sorted: GeneratedPolicy[] = []
  while (left.length > 0) {
    let best = 0
    for (const [index, one] of left.entries()) {
      const now = left[best]
      if (!now) continue
      const isMore = one.approvals > now.approvals
      const isAsMany = one.approvals === now.approvals
      if (isMore || (isAsMany && one.from.length > 0 && now.from.length === 0)) best = index
    }
    sorted.push(...left.splice(best, 1))
  }
  return sorted
}

interface Demand { approvals: number, groups: string[], escalate_to: string[] }

/** Whoever meets `a` meets `b`. */
const isWithin = (a: Demand, b: Demand): boolean => a.approvals >= b.approvals &&
  a.groups.every((id) => b.groups.includes(id)) && a.escalate_to.every((id) => [...b.groups, ...b.escalate_to].includes(id))

/** Without those that another one meets anyway; of two that say the same, the first stays. */
const demandsOf = (naming: readonly GeneratedPolicy[]): Demand[] => {
  const all = naming.map(({ approvals, from, escalate }) =>
    ({ approvals, groups: idsOf(from), escalate_to: idsOf(escalate?.groups ?? []) }))
  return all.filter((one, index) => {
    for (const [at, other] of all.entries()) {
      if (at !== index && isWithin(other, one) && !(isWithin(one, other) && at > index)) return false
    }
    return true
  })
}

const requirementOf = (asking: readonly GeneratedPolicy[], version: number | null) => {
  const sorted = strictestOf(asking)
  const naming = sorted.filter(({ from }) => from.length > 0)
  let groups = naming[0] ? [...naming[0].from] : []
  for (const { from } of naming) groups = groups.filter((name) => from.includes(name))
  const each = groups.length === 0 && naming.length > 0 ? demandsOf(naming) : undefined
  const deciding = naming.length > 0 ? naming : sorted
  let longest = 0
  let escalates = true
  for (const { escalate } of deciding) {
    if (escalate) longest = Math.max(longest, escalate.minutes * 60)
    else escalates = false
  }
  return {
    approvals: Math.max(...asking.map(({ approvals }) => approvals)),
    groups: each ? [...new Set(each.flatMap(({ groups: ids }) => ids))] : idsOf(groups),
    ...(each && { each }),
    exclude_requester: asking.some(({ exclude }) => exclude),
    escalate: escalates
      ? {
          after_s: longest,
          groups: each
            ? [...new Set(each.flatMap(({ escalate_to: ids }) => ids))]
            : idsOf(deciding[0]?.escalate?.groups ?? [])
        }
      : null,
    policy_version: version,
    policies: asking.map(({ id }) => id)
  }
}

const ordinary = (version: number | null, policies: string[]) => ({
  approvals: 1, groups: [], exclude_requester: false, escalate: null, policy_version: version, policies
})

/** What the policies say, worked out one by one and without Cedar. */
export const expectedOf = (list: readonly GeneratedPolicy[], input: PolicyInput, version: number | null): Expected => {
  const states = list.map((one) => ({ one, state: stateOf(one, input) }))
  const forbidding = states.filter(({ one, state }) => one.effect === 'forbid' && state !== 'apart')
  if (forbidding.length > 0) {
    return { outcome: 'forbid', policies: forbidding.map(({ one }) => one.id), requirement: null }
  }
  const asking = states.filter(({ one, state }) => one.outcome === 'approve' && state !== 'apart').map(({ one }) => one)
  if (asking.length > 0) {
    return { outcome: 'ask', policies: asking.map(({ id }) => id), requirement: requirementOf(asking, version) }
  }
  const running = states.filter(({ one, state }) => one.outcome === 'run' && state === 'matches').map(({ one }) => one)
  const allowing = running.filter(({ allowTainted }) => !input.tainted || allowTainted).map(({ id }) => id)
  if (allowing.length > 0) return { outcome: 'run', policies: allowing, requirement: null }
  const ids = running.map(({ id }) => id)
  return { outcome: 'ask', policies: ids, requirement: ordinary(version, ids) }
}
