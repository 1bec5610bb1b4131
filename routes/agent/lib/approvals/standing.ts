import type { ConfirmationRecord } from '../../../../db/agent/confirmations.js'
import { listVotes, type Vote as VoteRow } from '../../../../db/agent/votes.js'
import type { Db } from '../../../../db/index.js'
import { mayApprove } from '../../../../lib/access/require-access.js'
import { listApprovers, listDelegators, listGroupNames, type Approver } from '../../../../lib/account/approvers.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { Requirement } from '../../../../schemas/agent/requirements.js'
import type { ConfirmResult } from '../../../../schemas/agent/confirmations.js'
import { requirementOf } from '../plans/judge-plan.js'

/** A question, as far as it says who may decide it. */
export type Question = Pick<ConfirmationRecord, 'id' | 'kind' | 'user_id' | 'target' | 'risk' | 'requirement' |
  'escalated' | 'input_digest' | 'status' | 'decided_by' | 'decided_at' | 'reason' | 'authors'>

/** A person who votes, as what they may approve is judged. */
export interface Voter { person: Approver, principal: Principal }

/** @returns a person as one who decides, with all that their role allows */
export const toVoter = (workspaceId: string, person: Approver): Voter => ({
  person,
  principal: {
    workspace_id: workspaceId,
    user_id: person.id,
    name: person.name,
    role: person.role,
    bindings: person.bindings,
    scopes: null,
    via: 'browser',
    via_id: null
  }
})

/** @returns the groups whose people count now; empty = whoever may approve such a write */
export const groupsNow = ({ groups, escalate }: Requirement, escalated: boolean): string[] =>
  groups.length === 0 || !escalated || escalate === null ? groups : [...new Set([...groups, ...escalate.groups])]

/** @returns how many people of the groups of each demand still have to approve */
const openDemands = (question: Question, counted: readonly VoteRow[], people: People) => {
  const { each = [] } = requirementOf(question)
  return each.map(({ approvals, groups, escalate_to: to }) => {
    const now = question.escalated ? [...groups, ...to] : groups
    const given = counted.filter(({ for_user_id: id }) =>
      people.get(id)?.person.groups.some((group) => now.includes(group))).length
    return { groups: now, missing: Math.max(0, approvals - given) }
  })
}

/** @returns how many approvals a question lacks; a person who is in groups of several demands may give several */
const countMissing = (question: Question, counted: readonly VoteRow[], people: People): number => {
  const open = openDemands(question, counted, people).reduce((sum, { missing }) => sum + missing, 0)
  return Math.max(0, requirementOf(question).approvals - counted.length, open)
}

/** @returns whether the person asked it, or has changed it since */
const isAuthor = ({ user_id, authors }: Question, id: string): boolean =>
  id === user_id || authors?.includes(id) === true

/** @returns whether an approval by this person counts for the question */
export const isEligible = (question: Question, { person, principal }: Voter): boolean => {
  const requirement = requirementOf(question)
  if (person.status !== 'active') return false
  if (requirement.exclude_requester && isAuthor(question, person.id)) return false
  if (!mayApprove(principal, question)) return false
  const groups = groupsNow(requirement, question.escalated)
  return groups.length === 0 || person.groups.some((id) => groups.includes(id))
}

/** Who decides beside the person: nobody approves through another what they may not approve as who has asked it. */
const mayStandIn = (question: Question, by: Approver | undefined): boolean => by?.status === 'active' &&
  !(requirementOf(question).exclude_requester && isAuthor(question, by.id))

type People = ReadonlyMap<string, Voter>

/** @returns whether a stored approval counts for the question as it is now */
export const isCounted = (question: Question, people: People, vote: VoteRow): boolean => {
  const counted = people.get(vote.for_user_id)
  if (vote.decision !== 'approve' || vote.input_digest !== question.input_digest || !counted) return false
  if (requirementOf(question).signed && vote.signed_with === null) return false
  if (vote.user_id !== vote.for_user_id && !mayStandIn(question, people.get(vote.user_id)?.person)) return false
  return isEligible(question, counted)
}

/**
 * Whoever made the link by which a person came in may be that person: beside their own approval, and where who has asked
 * does not count, it is no other's.
 */
const withoutLetIn = (question: Question, votes: readonly VoteRow[]): readonly VoteRow[] => {
  const voters = new Set(votes.flatMap(({ user_id, for_user_id }) => [user_id, for_user_id]))
  return votes.filter(({ let_in_by: by }) => by === null ||
    !(voters.has(by) || (requirementOf(question).exclude_requester && isAuthor(question, by))))
}

/** The votes in a question, and how many people still have to approve it. */
export interface Standing { votes: readonly VoteRow[], counted: readonly VoteRow[], missing: number, people: People }

/** An instance of the last release decides without a vote: who decided has given it. */
const votesOf = ({ id, status, decided_by, decided_at, reason, input_digest }: Question, votes: readonly VoteRow[]) => {
  const own = votes.filter((vote) => vote.confirmation_id === id)
  if (own.length > 0 || decided_by === null || (status !== 'approved' && status !== 'rejected')) return own
  const decision = status === 'approved' ? 'approve' as const : 'reject' as const
  const whose = { confirmation_id: id, user_id: decided_by, for_user_id: decided_by, let_in_by: null, signed_with: null }
  return [{ ...whose, decision, reason, input_digest, via: 'browser' as const, created_at: decided_at ?? new Date() }]
}

/** Groups, roles and people are read as they are now: a vote counts as long as its person may give it. */
export const readStandings = async (db: Db, workspaceId: string, questions: readonly Question[]):
Promise<Map<string, Standing>> => {
  if (questions.length === 0) return new Map()
  const stored = await listVotes(db, workspaceId, questions.map(({ id }) => id))
  const votes = new Map(questions.map((question) => [question.id, votesOf(question, stored)]))
  const ids = new Set([...votes.values()].flat().flatMap(({ user_id, for_user_id }) => [user_id, for_user_id]))
  const rows = ids.size === 0 ? [] : await listApprovers(db, workspaceId, [...ids])
  const people = new Map(rows.map((person) => [person.id, toVoter(workspaceId, person)]))
  return new Map(questions.map((question) => {
    const own = votes.get(question.id) ?? []
    const counted = withoutLetIn(question, own.filter((vote) => isCounted(question, people, vote)))
    const missing = countMissing(question, counted, people)
    return [question.id, { votes: own, counted, missing, people }]
  }))
}

export const readStanding = async (db: Db, workspaceId: string, question: Question): Promise<Standing> =>
  (await readStandings(db, workspaceId, [question])).get(question.id) ??
    { votes: [], counted: [], missing: requirementOf(question).approvals, people: new Map() }

/** Who a person may decide as: as themselves, and as those who have delegated to them; and who asked the questions. */
export interface Deciding { self: Voter | undefined, delegators: readonly Voter[], requesters: People }

/** @param questions that are to be decided or shown */
export const readDeciding = async (db: Db, principal: Principal, questions: readonly Pick<Question, 'user_id'>[]):
Promise<Deciding> => {
  const { workspace_id: workspaceId, user_id: userId } = principal
  const from = await listDelegators(db, workspaceId, userId)
  const ids = new Set([userId, ...from, ...questions.map(({ user_id: id }) => id)])
  const people = await listApprovers(db, workspaceId, [...ids])
  const own = people.find(({ id }) => id === userId)
  const voters = new Map(people.map((person) => [person.id, toVoter(workspaceId, person)]))
  return {
    self: own && { person: own, principal },
    delegators: from.flatMap((id) => voters.get(id) ?? []),
    requesters: voters
  }
}

/** Whether others than the person who asked are to decide: where that person alone suffices, it is theirs. */
const needsOthers = (question: Question, { requesters }: Deciding): boolean => {
  const { approvals, groups, exclude_requester } = requirementOf(question)
  if (approvals > 1 || groups.length > 0 || exclude_requester) return true
  const requester = requesters.get(question.user_id)
  return !requester || !isEligible(question, requester)
}

/** @returns the people as whom a person may approve the question: first as themselves; delegations make no chain */
export const eligibleAs = (question: Question, deciding: Deciding): Voter[] => {
  const { self, delegators } = deciding
  const shared = needsOthers(question, deciding)
  const may = (voter: Voter) => (shared || voter.person.id === question.user_id) && isEligible(question, voter)
  const own = self && may(self) ? [self] : []
  return self && mayStandIn(question, self.person) ? [...own, ...delegators.filter(may)] : own
}

/** @returns whether the question is shown to a person: they asked it, or might approve it, groups aside */
export const isVisible = (question: Question, principal: Principal, deciding: Deciding): boolean => {
  const { delegators } = deciding
  if (question.user_id === principal.user_id) return true
  if (question.kind !== 'tool') return false
  if (!needsOthers(question, deciding)) return delegators.some(({ person }) => person.id === question.user_id)
  return mayApprove(principal, question) || delegators.some((voter) => mayApprove(voter.principal, question))
}

/** @returns "2 more of group A or B" */
const waitsForGroups = (missing: number, groups: readonly string[], names: ReadonlyMap<string, string>) => {
  if (missing === 0) return null
  if (groups.length === 0) return `${missing} more`
  return `${missing} more of group ${groups.map((id) => names.get(id) ?? id).join(' or ')}`
}

/** @returns as `waitsForGroups`; of each demand where there are several: "1 more of group A and 1 more of group B" */
const waitsFor = (question: Question, { counted, missing, people }: Standing, names: ReadonlyMap<string, string>) => {
  if (question.status !== 'pending') return null
  const each = openDemands(question, counted, people)
    .flatMap((one) => waitsForGroups(one.missing, one.groups, names) ?? [])
  return each.length > 0
    ? each.join(' and ')
    : waitsForGroups(missing, groupsNow(requirementOf(question), question.escalated), names)
}

export type ShownStanding = Pick<ConfirmResult, 'votes' | 'missing' | 'waits_for'>

/** @returns a standing as it is shown */
export const showStanding = (question: Question, standing: Standing, groups: ReadonlyMap<string, string>):
ShownStanding => {
  const { votes, counted, missing, people } = standing
  const nameOf = (id: string) => ({ id, name: people.get(id)?.person.name ?? '' })
  const left = question.status === 'pending' ? missing : 0
  return {
    votes: votes.map((vote) => ({
      person: nameOf(vote.user_id),
      on_behalf_of: vote.for_user_id === vote.user_id ? null : nameOf(vote.for_user_id),
      decision: vote.decision,
      reason: vote.reason,
      via: vote.via,
      counts: counted.includes(vote),
      at: vote.created_at
    })),
    missing: left,
    waits_for: waitsFor(question, standing, groups)
  }
}

/** @returns the names of the groups that the questions name */
export const readGroupNames = (db: Db, workspaceId: string, questions: readonly Question[]) => {
  const ids = questions.flatMap((question) => {
    const { groups, escalate } = requirementOf(question)
    return [...groups, ...escalate?.groups ?? []]
  })
  return listGroupNames(db, workspaceId, [...new Set(ids)])
}
