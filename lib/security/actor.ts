import { findPerson, isTokenRevoked } from '../../db/account/principals.js'
import type { Actor } from '../../db/actor.js'
import type { Db } from '../../db/index.js'
import { InsufficientRole } from '../../schemas/errors.js'
import type { Principal } from './principal.js'

export const actorOf = ({ user_id, name, via, via_id, scopes, admitted, confirmation_id }: Principal): Actor =>
  ({ user_id, name, via, via_id, scopes, ...(admitted && { admitted }), ...(confirmation_id && { confirmation_id }) })

/** @returns the actor with the rights of now. @throws insufficient_role when there are none left */
export const currentPrincipal = async ({ db }: { db: Db }, workspaceId: string, actor: Actor): Promise<Principal> => {
  const person = await findPerson(db, workspaceId, actor.user_id)
  if (person?.status !== 'active') throw InsufficientRole(`${actor.name} is no longer active here`)
  if (actor.via === 'token' && actor.via_id !== null && await isTokenRevoked(db, workspaceId, actor.via_id)) {
    throw InsufficientRole(`The token of ${actor.name} has been revoked`)
  }
  const { name, role, bindings } = person
  return { ...actor, workspace_id: workspaceId, name, role, bindings }
}
