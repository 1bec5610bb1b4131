import type { FastifyInstance } from 'fastify'
import { listOutcomes } from '../../../../db/agent/calls.js'
import type { ConfirmationRecord } from '../../../../db/agent/confirmations.js'
import type { Db } from '../../../../db/index.js'
import { listMembersOf } from '../../../../lib/account/approvers.js'
import { listNames } from '../../../../lib/account/people.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { notShown } from '../../../../lib/tools/renderable.js'
import type { Confirmation, ConfirmationDetails } from '../../../../schemas/agent/confirmations.js'
import type { PersonName } from '../../../../schemas/account/person-name.js'
import {
  eligibleAs, groupsNow, isEligible, readDeciding, readGroupNames, readStandings, showStanding, toVoter,
  type Deciding, type Standing
} from './standing.js'
import { requirementOf } from '../plans/stricter-requirement.js'

export type Deps = Pick<FastifyInstance, 'db'>

/** People who are counted; a larger workspace is shown as this many. */
const mostPeople = 1_000

const personOf = (names: ReadonlyMap<string, string>, id: string): PersonName => ({ id, name: names.get(id) ?? '' })

const escalatesAt = (row: ConfirmationRecord): Date | null => {
  const { escalate } = requirementOf(row)
  return escalate && new Date(row.requested_at.getTime() + escalate.after_s * 1_000)
}

/** @returns whether an approval by the person would count: they may approve it, and have not yet */
export const mayApproveNow = (row: ConfirmationRecord, deciding: Deciding, { counted }: Standing): boolean => {
  if (row.kind === 'budget') return row.status === 'pending' && row.user_id === deciding.self?.person.id
  if (row.status !== 'pending' || counted.some((vote) => vote.user_id === deciding.self?.person.id)) return false
  return eligibleAs(row, deciding).some(({ person }) => !counted.some((vote) => vote.for_user_id === person.id))
}

interface Context {
  principal: Principal
  deciding: Deciding
  standings: ReadonlyMap<string, Standing>
  names: ReadonlyMap<string, string>
  groups: ReadonlyMap<string, string>
  outcomes: ReadonlyMap<string | null, Confirmation['outcome']>
}

const nobody: Standing = { votes: [], counted: [], missing: 0, people: new Map() }

/** What code stored in the json columns has the schema's form. */
const toConfirmation = (row: ConfirmationRecord, context: Context): Confirmation => {
  const { principal, deciding, standings, names, groups, outcomes } = context
  const outcome = outcomes.get(row.tool_call_id)
  const { close_reason, user_id, session_title, steps, authors, ...shown } = row
  const standing = standings.get(row.id) ?? nobody
  const shownStanding = row.kind === 'budget' ? { ...nobody, votes: standing.votes, people: standing.people } : standing
  return {
    ...shown,
    session_title: user_id === principal.user_id ? session_title : null,
    thread_id: row.thread_id ?? row.id,
    not_shown: notShown(row),
    ...(steps && { steps }),
    ...(authors && { edited_by: authors.map((id) => personOf(names, id)) }),
    requested_by: personOf(names, user_id),
    requirement: requirementOf(row),
    ...showStanding(row, shownStanding, groups),
    may_approve: mayApproveNow(row, deciding, standing),
    escalates_at: escalatesAt(row),
    decided_by: row.decided_by === null ? null : personOf(names, row.decided_by),
    ...(outcome && { outcome })
  } as Confirmation
}

/** What has become of the writes that were approved: whoever sees the question may know, its result is not in it. */
const readOutcomes = async (db: Db, workspaceId: string, rows: readonly ConfirmationRecord[]):
Promise<Context['outcomes']> => {
  const ids = rows.flatMap(({ status, tool_call_id: id }) => status === 'approved' && id !== null ? [id] : [])
  const found = ids.length === 0 ? [] : await listOutcomes(db, workspaceId, ids)
  return new Map(found.map(({ id, ...outcome }) => [id, outcome]))
}

/** @returns the questions as one person sees them, each with its votes */
export const showConfirmations = async (db: Db, principal: Principal, rows: readonly ConfirmationRecord[]):
Promise<Confirmation[]> => {
  if (rows.length === 0) return []
  const { workspace_id: workspaceId } = principal
  const people = new Set(rows.flatMap(({ user_id, decided_by: by, authors }) =>
    [user_id, ...by === null ? [] : [by], ...authors ?? []]))
  const [deciding, standings, names, groups, outcomes] = await Promise.all([
    readDeciding(db, principal, rows),
    readStandings(db, workspaceId, rows),
    listNames(db, workspaceId, [...people]),
    readGroupNames(db, workspaceId, rows),
    readOutcomes(db, workspaceId, rows)
  ])
  return rows.map((row) => toConfirmation(row, { principal, deciding, standings, names, groups, outcomes }))
}

/** @returns one question with who may approve it */
export const showDetails = async (db: Db, principal: Principal, row: ConfirmationRecord):
Promise<ConfirmationDetails> => {
  const { workspace_id: workspaceId } = principal
  const ids = groupsNow(requirementOf(row), row.escalated)
  const [[shown], members, names] = await Promise.all([
    showConfirmations(db, principal, [row]),
    row.kind === 'tool' ? listMembersOf(db, workspaceId, ids, mostPeople) : [],
    readGroupNames(db, workspaceId, [row])
  ])
  if (!shown) throw new Error('One question is shown as one')
  const able = members.filter((person) => isEligible(row, toVoter(workspaceId, person)))
  const people = row.kind === 'tool' ? able.length : 1
  return { ...shown, approvers: { groups: ids.map((id) => personOf(names, id)), people } }
}
