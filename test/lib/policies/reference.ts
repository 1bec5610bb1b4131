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

const requirementOf = (asking: readonly GeneratedPolicy[], version: number | null) => {
  const sorted = strictestOf(asking)
  const naming = sorted.filter(({ from }) => from.length > 0)
  let groups = naming[0] ? [...naming[0].from] : []
  for (const { from } of naming) groups = groups.filter((name) => from.includes(name))
  if (groups.length === 0 && naming[0]) groups = naming[0].from
  const deciding = naming.length > 0 ? naming : sorted
  let longest = 0
  let escalates = true
  for (const { escalate } of deciding) {
    if (escalate) longest = Math.max(longest, escalate.minutes * 60)
    else escalates = false
  }
  return {
    approvals: Math.max(...asking.map(({ approvals }) => approvals)),
    groups: idsOf(groups),
    exclude_requester: asking.some(({ exclude }) => exclude),
    escalate: escalates ? { after_s: longest, groups: idsOf(deciding[0]?.escalate?.groups ?? []) } : null,
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
