import type { Role } from '../../db/types.js'
import { NotOwner } from '../../schemas/errors.js'

/** Who asks, through what, and what that allows. */
export interface Principal {
  workspace_id: string
  user_id: string
  name: string
  role: Role
  /** null = everything the role allows */
  scopes: string[] | null
  /** The API token is marked for an assistant: what it makes is marked too. */
  assistant?: boolean
  via: 'browser' | 'token' | 'assistant'
  /** The browser session, the API token (null for ADMIN_TOKEN) or the assistant's run. */
  via_id: string | null
  /** Work that goes on behind a request: the request was counted when it came, what follows is not. */
  background?: boolean
  /** Reads for a plan, dry runs among it: it changes nothing, and leaves no audit row. */
  planning?: boolean
}

/** Who of a workspace may name a record by its id: everybody, its person alone, its person and admins, or whoever
 * sees it at the code host. To all others it is not there. */
export type Ownership = 'workspace' | 'person' | 'person_or_admin' | 'codehost'

export interface Access {
  scope: string
  role: Role
  /** By default `workspace`. */
  owner?: Ownership
}

const ranks: Record<Role, number> = { viewer: 0, member: 1, admin: 2 }

export const hasScope = (principal: Principal, scope: string): boolean =>
  principal.scopes === null || principal.scopes.includes(scope)

export const hasHigherRole = (a: Role, b: Role): boolean => ranks[a] > ranks[b]

export const hasRole = (principal: Principal, role: Role): boolean => ranks[principal.role] >= ranks[role]

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
