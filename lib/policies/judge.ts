import type { PolicyVerdict } from '../../schemas/account/policies.js'
import { type Requirement, ordinaryRequirement, type GroupDemand } from '../../schemas/agent/requirements.js'
import { ApiError } from '../../schemas/errors.js'
import { messageOf } from '../../schemas/unknown.js'
import type { PolicyMeta } from './annotations.js'
import type { PolicySet } from './compile.js'
import { authorize as askCedar } from './in-process.js'
import type { Answer, Operations } from './operations.js'
import { toCedar, type PolicyInput } from './policy-input.js'

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

/** What Cedar says: which policies matched, and which could not be evaluated. */
interface Matches { matched: PolicyMeta[], failed: PolicyMeta[], errors: PolicyVerdict['errors'] }

const inText = (a: PolicyMeta, b: PolicyMeta) => a.order - b.order
const idsOf = (metas: readonly PolicyMeta[]): string[] => metas.map(({ id }) => id)

const metasOf = ({ meta }: PolicySet, ids: readonly string[]): PolicyMeta[] =>
  ids.flatMap((id) => meta.get(id) ?? []).toSorted(inText)

const matchesOf = (set: PolicySet, { reason, errors }: Answer & { kind: 'answer' }): Matches => ({
  matched: metasOf(set, reason),
  failed: metasOf(set, errors.map(({ policyId }) => policyId)),
  errors: errors.map(({ policyId, message }) => ({ policy: policyId, message }))
    .toSorted((a, b) => (a.policy < b.policy ? -1 : 1))
})

const isForbid = ({ effect }: PolicyMeta) => effect === 'forbid'
const asks = ({ outcome }: PolicyMeta) => outcome === 'approve'
const runs = ({ outcome }: PolicyMeta) => outcome === 'run'

const verdictOf = (outcome: PolicyVerdict['outcome'], policies: readonly PolicyMeta[],
  errors: PolicyVerdict['errors'], more: Partial<PolicyVerdict> = {}): PolicyVerdict =>
  ({ outcome, reason: null, requirement: null, policies: idsOf(policies), errors, ...more })

const forbid = (forbids: readonly PolicyMeta[], failed: readonly PolicyMeta[], errors: PolicyVerdict['errors']) => {
  const reasons = forbids.flatMap(({ reason }) => reason ?? [])
  const broken = failed.map(({ id }) => `The policy ${id} could not be evaluated, so it forbids`)
  const ids = idsOf(forbids).join(', ')
  const reason = [...reasons, ...broken].join(' ') || `The policies of the workspace forbid it (${ids})`
  return verdictOf('forbid', [...forbids, ...failed].toSorted(inText), errors, { reason })
}

/** The most approvals first; of as many, one that names groups; of these, the first in the text. */
const byStrictness = (a: PolicyMeta, b: PolicyMeta) => b.approvals - a.approvals ||
  Number(b.groups.length > 0) - Number(a.groups.length > 0) || inText(a, b)

/** The groups that all policies name. Where they name groups and none is common, each has its own demand. */
const groupsOf = (naming: readonly PolicyMeta[]): Pick<Requirement, 'groups' | 'each'> => {
  const [strictest] = naming
  if (!strictest) return { groups: [] }
  const common = strictest.groups.filter((id) => naming.every(({ groups }) => groups.includes(id)))
  if (common.length > 0) return { groups: common }
  return joinDemands(naming.map(({ approvals, groups, escalate }) =>
    ({ approvals, groups, escalate_to: escalate?.groups ?? [] })))
}

/**
 * Only where each policy that names groups escalates, after the longest of their times; to the groups of the strictest,
 * or where each has its own demand, to those of each.
 */
const escalationOf = (deciding: readonly PolicyMeta[], each: Requirement['each']): Requirement['escalate'] => {
  const times = deciding.flatMap(({ escalate }) => escalate?.after_s ?? [])
  const [strictest] = deciding
  if (!strictest?.escalate || times.length < deciding.length) return null
  const groups = each ? each.flatMap(({ escalate_to: to }) => to) : strictest.escalate.groups
  return { after_s: Math.max(...times), groups: [...new Set(groups)] }
}

/** The strictest of all that matched: no policy makes another's requirement weaker. */
const requirementOf = (asking: readonly PolicyMeta[], version: number | null): Requirement => {
  const sorted = asking.toSorted(byStrictness)
  const naming = sorted.filter(({ groups }) => groups.length > 0)
  const named = groupsOf(naming)
  return {
    approvals: Math.max(...sorted.map(({ approvals }) => approvals)),
    ...named,
    exclude_requester: sorted.some(({ excludeRequester }) => excludeRequester),
    ...(sorted.some(({ signed }) => signed) && { signed: true }),
    escalate: escalationOf(naming.length > 0 ? naming : sorted, named.each),
    policy_version: version,
    policies: idsOf(asking)
  }
}

const ask = (asking: readonly PolicyMeta[], version: number | null, errors: PolicyVerdict['errors']) =>
  verdictOf('ask', asking, errors, { requirement: requirementOf(asking, version) })

const asWithout = (because: readonly PolicyMeta[], version: number | null, errors: PolicyVerdict['errors']) =>
  verdictOf('ask', because, errors,
    { requirement: { ...ordinaryRequirement, policy_version: version, policies: idsOf(because) } })

const decide = ({ matched, failed, errors }: Matches, tainted: boolean, version: number | null): PolicyVerdict => {
  const forbids = matched.filter(isForbid)
  const brokenForbids = failed.filter(isForbid)
  if (forbids.length + brokenForbids.length > 0) return forbid(forbids, brokenForbids, errors)
  // What could not be evaluated and would ask for people asks for them; what would let it run does not.
  const asking = [...matched, ...failed].filter(asks).toSorted(inText)
  if (asking.length > 0) return ask(asking, version, errors)
  const running = matched.filter(runs)
  const allowing = tainted ? running.filter(({ allowTainted }) => allowTainted) : running
  return allowing.length > 0 ? verdictOf('run', allowing, errors) : asWithout(running, version, errors)
}

const noAnswer = (message: string): PolicyVerdict => ({
  outcome: 'forbid',
  reason: `The policies could not be evaluated, so nothing is allowed: ${message}`,
  requirement: null,
  policies: [],
  errors: []
})

/** So many are judged in one task: others have their turn after it. */
const atOnce = 200

/**
 * Judges writes. What cannot be evaluated never makes the answer weaker: it forbids.
 * @param version of the set; null for a draft
 * @param authorize asks Cedar; by default in a process of its own
 * @returns a verdict each
 * @throws overloaded
 */
export const judgeAll = async (set: PolicySet, version: number | null, inputs: readonly PolicyInput[],
  authorize: Operations['authorize'] = askCedar): Promise<PolicyVerdict[]> => {
  const { digest, policies } = set
  const verdicts: PolicyVerdict[] = []
  for (let from = 0; from < inputs.length; from += atOnce) {
    const some = inputs.slice(from, from + atOnce)
    try {
      const answers = await authorize({ digest, policies }, some.map((input) => toCedar(input, set)))
      verdicts.push(...some.map(({ tainted }, index) => {
        const answer = answers[index]
        return answer?.kind === 'answer'
          ? decide(matchesOf(set, answer), tainted, version)
          : noAnswer(answer?.message ?? 'There is no answer')
      }))
    } catch (error) {
      if (error instanceof ApiError) throw error
      verdicts.push(...some.map(() => noAnswer(messageOf(error))))
    }
  }
  return verdicts
}

/** Judges a write, as `judgeAll`. @throws overloaded */
export const judge = async (set: PolicySet, version: number | null, input: PolicyInput): Promise<PolicyVerdict> =>
  (await judgeAll(set, version, [input]))[0] ?? noAnswer('There is no answer')
