import type { Principal } from '../security/principal.js'

/** For whom a write is sent: the person, and the assistant's run where there is one. */
export interface Actor { user_id: string, run_id: string | null }

/** @returns the actor as audit rows name them: `user_id`, and `via_id` of what the assistant does */
export const actorOf = ({ user_id, via, via_id }: Pick<Principal, 'user_id' | 'via' | 'via_id'>): Actor =>
  ({ user_id, run_id: via === 'assistant' ? via_id : null })

/**
 * The name of a role's session, which CloudTrail shows with every call: `steward.<user id>`, and the last 12 digits of
 * the run's id, since AWS allows 64 characters.
 */
export const sessionNameOf = ({ user_id, run_id }: Actor): string =>
  ['steward', user_id, ...(run_id === null ? [] : [run_id.slice(-12)])].join('.')
