import { findPerson, isTokenRevoked, type Rights } from '../../db/account/principals.js'
import type { Actor } from '../../db/audit.js'
import type { Db } from '../../db/index.js'
import type { Role } from '../../db/types.js'
import { ranks } from '../../schemas/account/users.js'
import { NotOwner, InsufficientRole } from '../../schemas/errors.js'

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

/** Who asks, through what, and what that allows. */
export interface Principal extends Rights {
  workspace_id: string
  user_id: string
  name: string
  /** null = everything the role allows */
  scopes: string[] | null
  /** The API token is marked for an assistant: what it makes is marked too. */
  assistant?: boolean
  via: 'browser' | 'token' | 'assistant'
  /** The browser session, the API token (null for ADMIN_TOKEN) or the assistant's run. */
  via_id: string | null
  /** The channel in which the person acts, such as `slack`: the record says where a decision was made. */
  channel?: string | undefined
  /** The approval that this call carries out. */
  confirmation_id?: string | undefined
  /** Work that goes on behind a request: the request was counted when it came, what follows is not. */
  background?: boolean
  /** Reads for a plan, dry runs among it: it changes nothing, and leaves no audit row. */
  planning?: boolean
  /** It carries out this write: what is recorded of it has this id. */
  write_id?: string | undefined
  /** Where the request came from that acts now; for the record. */
  origin?: { remote_address: string, request_id: string } | undefined
  /**
   * The call was approved, or its plan says that it only reads: the right to propose does for what takes an approver.
   * Only code that has looked sets it, for a call of the process to itself.
   */
  admitted?: boolean
  /** The role that the route of the request takes on what it touches; by default viewer. */
  needs?: Role
}

/** Who of a workspace may name a record by its id: everybody, its person alone, its person and admins, whoever sees it
 * at the code host, or its person and who may approve it. To all others it is not there. */
export type Ownership = 'workspace' | 'person' | 'person_or_admin' | 'codehost' | 'approvers'

export interface Access {
  scope: string
  role: Role
  /**
   * On what the person must have the role. `workspace`, the default: on all of it. `anywhere`: on anything, and what
   * the request then touches is checked where it is looked up (lib/access).
   */
  on?: 'workspace' | 'anywhere'
  /** By default `workspace`. */
  owner?: Ownership
}

export const hasScope = (principal: Principal, scope: string): boolean =>
  principal.scopes === null || principal.scopes.includes(scope)

export const hasHigherRole = (a: Role, b: Role): boolean => ranks[a] > ranks[b]

/** @returns whether the person has the role in the whole workspace */
export const hasRole = (principal: Pick<Principal, 'role'>, role: Role): boolean =>
  ranks[principal.role] >= ranks[role]

/** @returns the role that a request takes: a plan, and what was admitted, take no more than the right to propose */
export const roleNeeded = ({ planning, admitted }: Pick<Principal, 'planning' | 'admitted'>, role: Role): Role =>
  (planning || admitted) && ranks[role] === ranks.approver ? 'operator' : role

/** @throws not_owner for what another person made, except to an admin */
export const requireOwner = (principal: Principal, { created_by: owner }: { created_by: string }): void => {
  if (owner === principal.user_id || hasRole(principal, 'admin')) return
  throw NotOwner('Somebody else made it: ask that person, or an admin', { owner_id: owner })
}

/** Key of the principal for limits, idempotency and cursors. */
export const principalKey = (principal: Principal): string =>
  `${principal.user_id}:${principal.via === 'assistant' ? 'assistant' : principal.via_id ?? 'admin'}`

/** Carries a ticket of `app.tickets`: a call of the process to itself, as a person. */
export const ticketHeader = 'x-steward-ticket'
