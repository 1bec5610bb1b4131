import type { Cedar } from './cedar.js'

/** What a policy means beside its condition. */
export interface PolicyMeta {
  id: string
  effect: 'permit' | 'forbid'
  /** Where it stands in the text. */
  order: number
  reason: string | null
  outcome: 'approve' | 'run' | null
  approvals: number
  /** Ids. */
  groups: string[]
  excludeRequester: boolean
  signed: boolean
  escalate: { after_s: number, groups: string[] } | null
  allowTainted: boolean
}

/** An annotation that cannot be used, by its name. */
export interface Misuse { name: string, code: string, message: string }

export interface ReadAnnotations { meta: PolicyMeta, misuses: Misuse[] }

const ofPermits =
  ['outcome', 'approvals', 'from', 'exclude_requester', 'signed', 'escalate_to', 'escalate_after', 'allow_tainted']
const known = ['id', 'reason', ...ofPermits]
const ofApprovals = new Set(['approvals', 'from', 'exclude_requester', 'signed', 'escalate_to', 'escalate_after'])

const seconds: Record<string, number> = { m: 60, h: 3_600, d: 86_400 }

/** @returns the seconds of such as "30m", "2h" or "1d" */
const durationOf = (text: string): number | undefined => {
  const [, count, unit = ''] = /^([1-9]\d{0,3})([mhd])$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (seconds[unit] ?? 0)
}

type Given = Readonly<Record<string, string>>
type FindGroup = (name: string) => string | undefined

const misplaced = ({ effect }: Cedar.PolicyJson, given: Given): Misuse[] => Object.keys(given).flatMap((name) => {
  if (!known.includes(name)) {
    return { name, code: 'unknown_annotation', message: `@${name} is not known; these are: ${known.join(', ')}` }
  }
  if (effect === 'forbid' && ofPermits.includes(name)) {
    return { name, code: 'misplaced_annotation', message: `@${name} is for permit: what is forbidden has no outcome` }
  }
  if (effect === 'permit' && ofApprovals.has(name) && given.outcome !== 'approve') {
    return { name, code: 'misplaced_annotation', message: `@${name} is for @outcome("approve")` }
  }
  if (name === 'allow_tainted' && given.outcome !== 'run') {
    return { name, code: 'misplaced_annotation', message: '@allow_tainted is for @outcome("run")' }
  }
  return []
})

const badValue = (name: string, message: string): Misuse => ({ name, code: 'invalid_annotation', message })

const flags = (given: Given): Misuse[] => ['exclude_requester', 'signed', 'allow_tainted']
  .filter((name) => given[name] !== undefined && given[name] !== 'true' && given[name] !== 'false')
  .map((name) => badValue(name, `@${name} is "true" or "false"`))

const isCount = (text: string): boolean => /^([1-9]|10)$/.test(text)

const values = ({ effect }: Cedar.PolicyJson, given: Given): Misuse[] => [
  ...(effect === 'permit' && given.outcome !== 'approve' && given.outcome !== 'run'
    ? [badValue('outcome', 'A permit says what it permits: @outcome("approve") or @outcome("run")')]
    : []),
  ...(given.approvals !== undefined && !isCount(given.approvals)
    ? [badValue('approvals', '@approvals is a whole number from 1 to 10')]
    : []),
  ...flags(given),
  ...(given.escalate_after !== undefined && durationOf(given.escalate_after) === undefined
    ? [badValue('escalate_after', '@escalate_after is such as "30m", "2h" or "1d"')]
    : []),
  ...((given.escalate_after === undefined) !== (given.escalate_to === undefined)
    ? [badValue(given.escalate_to === undefined ? 'escalate_after' : 'escalate_to',
        '@escalate_to and @escalate_after go together')]
    : []),
  ...(given.id !== undefined && !/^[\w.-]{1,64}$/.test(given.id)
    ? [badValue('id', '@id has 1 to 64 letters, digits, ".", "_" and "-"')]
    : [])
]

const namesIn = (list: string | undefined): string[] =>
  (list ?? '').split(',').map((name) => name.trim()).filter((name) => name !== '')

const groupsOf = (name: string, given: Given, find: FindGroup): { ids: string[], misuses: Misuse[] } => {
  const names = namesIn(given[name])
  const unknown = names.filter((one) => find(one) === undefined)
  const isEmpty = given[name] !== undefined && names.length === 0
  return {
    ids: [...new Set(names.flatMap((one) => find(one) ?? []))].toSorted(),
    misuses: [
      ...(isEmpty ? [badValue(name, `@${name} names groups, separated by commas`)] : []),
      ...unknown.map((one) => ({ name, code: 'unknown_group', message: `There is no group ${JSON.stringify(one)}` }))
    ]
  }
}

/** @returns what a policy means, and which of its annotations cannot be used */
export const readAnnotations = (policy: Cedar.PolicyJson, order: number, find: FindGroup): ReadAnnotations => {
  const given: Given = policy.annotations ?? {}
  const from = groupsOf('from', given, find)
  const escalateTo = groupsOf('escalate_to', given, find)
  const after = durationOf(given.escalate_after ?? '')
  const meta: PolicyMeta = {
    id: given.id ?? `policy${order + 1}`,
    effect: policy.effect,
    order,
    reason: given.reason ?? null,
    outcome: policy.effect === 'forbid' ? null : given.outcome === 'run' ? 'run' : 'approve',
    approvals: isCount(given.approvals ?? '') ? Number(given.approvals) : 1,
    groups: from.ids,
    excludeRequester: given.exclude_requester === 'true',
    signed: given.signed === 'true',
    escalate: after === undefined ? null : { after_s: after, groups: escalateTo.ids },
    allowTainted: given.allow_tainted === 'true'
  }
  return {
    meta, misuses: [...misplaced(policy, given), ...values(policy, given), ...from.misuses, ...escalateTo.misuses]
  }
}
