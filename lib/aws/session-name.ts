import type { Actor, SessionMarks } from '../../schemas/cloud/acting.js'
import type { Principal } from '../security/principal.js'

export type { Actor, SessionMarks }

type Who = Pick<Principal, 'user_id' | 'via' | 'via_id' | 'confirmation_id'>

/** @returns the actor as audit rows name them: `user_id`, and `via_id` of what the assistant does */
export const actorOf = ({ user_id, via, via_id, confirmation_id }: Who): Actor =>
  ({ user_id, run_id: via === 'assistant' ? via_id : null, confirmation_id: confirmation_id ?? null })

/** How STS is asked to name a session, in its own terms. */
export interface SessionIdentity {
  RoleSessionName: string
  SourceIdentity?: string
  Tags?: { Key: string, Value: string }[]
}

/** The name of all sessions of a person: CloudTrail looks events up by it, and by an exact match only. */
export const personSession = (userId: string): string => `steward.${userId}`

const sharedName = (accountId: string): string => `steward-${accountId}`

/** The session that all reads of an account share. */
export const readIdentity = (accountId: string): SessionIdentity => ({ RoleSessionName: sharedName(accountId) })

const tagsOf = ({ user_id: person, confirmation_id: confirmation, run_id: run }: Actor) =>
  Object.entries({ person, confirmation, run }).flatMap(([key, id]) =>
    id === null ? [] : [{ Key: `steward:${key}`, Value: id }])

/** Without tags the name is all that shows the run: its last 12 digits, since AWS allows 64 characters. */
const nameOf = ({ user_id: person, run_id: run }: Actor, accountId: string, isTagged: boolean): string => {
  if (person === null) return sharedName(accountId)
  return isTagged || run === null ? personSession(person) : `${personSession(person)}.${run.slice(-12)}`
}

/** @returns what a session of a write says of itself, as far as the role's trust policy allows it */
export const writeIdentity = (actor: Actor, accountId: string, marks: SessionMarks): SessionIdentity => ({
  RoleSessionName: nameOf(actor, accountId, marks.tags),
  ...(marks.source_identity && actor.user_id !== null && { SourceIdentity: actor.user_id }),
  ...(marks.tags && actor.user_id !== null && { Tags: tagsOf(actor) })
})
