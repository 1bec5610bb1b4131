import { saveRequirement } from '../../../../db/agent/questions.js'
import { deleteVote, insertVote } from '../../../../db/agent/votes.js'
import type { Db } from '../../../../db/index.js'
import { findLetInBy } from '../../../../lib/account/approvers.js'
import { isSameJson } from '../../../../lib/tools/digest.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { Requirement } from '../../../../schemas/agent/requirements.js'
import { NeedsOtherApprover } from '../errors.js'
import {
  eligibleAs, isEligible, readDeciding, readStanding, type Question, type Standing, type Voter
} from './standing.js'
import type { Consent } from '../run/entries.js'
import { requirementOf } from '../plans/judge-plan.js'

/** @returns why a person cannot approve it, for the error's members */
const refusal = (question: Question) => {
  const { groups, exclude_requester, approvals } = requirementOf(question)
  return NeedsOtherApprover(undefined, { groups, exclude_requester, approvals })
}

/** Whoever asked what one person may approve, without groups, is known: no row says more. */
const ownVoter = (principal: Principal, question: Question): Voter | undefined => {
  const { user_id: id, name, role, bindings } = principal
  const { approvals, groups } = requirementOf(question)
  if (id !== question.user_id || approvals > 1 || groups.length > 0) return undefined
  const voter = { person: { id, name, role, bindings, status: 'active' as const, groups: [] }, principal }
  return isEligible(question, voter) ? voter : undefined
}

/**
 * @returns the people as whom the principal may approve the question, or the one they name
 * @throws needs_other_approver when nobody would be counted
 */
export const requireVoters = async (db: Db, principal: Principal, question: Question, onBehalfOf: string | undefined):
Promise<Voter[]> => {
  const own = ownVoter(principal, question)
  if (own && onBehalfOf === undefined) return [own]
  const all = eligibleAs(question, await readDeciding(db, principal, [question]))
  const chosen = onBehalfOf === undefined ? all : all.filter(({ person }) => person.id === onBehalfOf.toLowerCase())
  if (chosen.length === 0) throw refusal(question)
  return chosen
}

export interface Ballot {
  decision: 'approve' | 'reject'
  reason: string | null
  /** Of the plan that was shown. */
  input_digest: string
  /** Takes the signature of an approval; undefined = there is none, and none is required. */
  sign?: () => Promise<Consent | undefined>
}

/** Stores what one person says; a vote that counts no more, of either person, gives way. */
const store = async (trx: Db, principal: Principal, question: Question, standing: Standing, whose: string,
  ballot: Ballot, consent?: Consent): Promise<void> => {
  const { workspace_id: workspaceId, user_id, via, via_id } = principal
  const inTheWay = standing.votes.filter((vote) => vote.user_id === user_id || vote.for_user_id === whose)
  for (const vote of inTheWay) await deleteVote(trx, workspaceId, vote)
  const ids = { confirmation_id: question.id, user_id, for_user_id: whose }
  const { sign: _, ...stored } = ballot
  const letInBy = await findLetInBy(trx, workspaceId, via, via_id)
  await insertVote(trx, workspaceId,
    { ...ids, ...stored, via, via_id, let_in_by: letInBy, signed_with: consent?.credential_id ?? null })
}

/** A question after a vote: how far it has come, and whether the vote was new. */
export interface Cast { question: Question, standing: Standing, isNew: boolean, consent?: Consent | undefined }

/** Stores a rejection: one is enough. */
export const castRejection = async (trx: Db, principal: Principal, question: Question, whose: string, ballot: Ballot):
Promise<Cast> => {
  const { workspace_id: workspaceId } = principal
  await store(trx, principal, question, await readStanding(trx, workspaceId, question), whose, ballot)
  return { question, standing: await readStanding(trx, workspaceId, question), isNew: true }
}

/**
 * Stores an approval, unless the person, or the one for whom they vote, has given one that counts.
 * The caller holds the lock of the run.
 * @param voters as whom the principal may approve, the preferred first
 */
export const castApproval = async (trx: Db, principal: Principal, question: Question, voters: readonly Voter[],
  ballot: Ballot): Promise<Cast> => {
  const { workspace_id: workspaceId, user_id: userId } = principal
  const before = await readStanding(trx, workspaceId, question)
  const isTaken = (id: string) => before.counted.some((vote) => vote.for_user_id === id)
  const voter = voters.find(({ person }) => !isTaken(person.id))
  const hasVoted = before.counted.some((vote) => vote.user_id === userId)
  if (!voter || hasVoted) return { question, standing: before, isNew: false }
  const consent = await ballot.sign?.()
  await store(trx, principal, question, before, voter.person.id, ballot, consent)
  return { question, standing: await readStanding(trx, workspaceId, question), isNew: true, consent }
}

/** Keeps a requirement that was judged anew with its question. @returns the question under it */
export const keepRequirement = async <Q extends Question>(trx: Db, workspaceId: string, question: Q,
  requirement: Requirement): Promise<Q> => {
  if (isSameJson(requirement, requirementOf(question))) return question
  await saveRequirement(trx, workspaceId, question.id, requirement)
  return { ...question, requirement }
}
