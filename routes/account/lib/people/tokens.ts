import { findPerson, listNames } from '../../../../db/account/principals.js'
import { findLetInBy } from '../../../../db/account/sessions.js'
import {
  countDelegations, insertDelegation, type DelegationRow, findClock, insertToken
} from '../../../../db/account/tokens.js'
import { readClock } from '../../../../db/clock.js'
import type { Db } from '../../../../db/index.js'
import { highestRole } from '../../../../lib/access/require-access.js'
import { hasRole, type Principal } from '../../../../lib/security/principal.js'
import type { FreshToken } from '../../../../lib/security/tokens.js'
import { approvals, type Scope } from '../../../../schemas/account/scopes.js'
import type { CreateDelegation, Delegation } from '../../../../schemas/account/sessions.js'
import { maxDays, type CreateApiToken } from '../../../../schemas/account/tokens.js'
import { InsufficientScope, InvalidRequest } from '../../../../schemas/errors.js'
import { DelegateInvalid, DelegationTooLong, TooManyDelegations, ScopeNotAllowed } from '../errors.js'

const dayMs = 86_400_000

const invalid = (field: string, code: string, message: string) =>
  InvalidRequest(`/${field} ${message}`, { errors: [{ pointer: `/${field}`, code, message }] })

const requireScopes = (by: Principal, scopes: Scope[], assistant: boolean) => {
  if (assistant && scopes.includes(approvals)) throw ScopeNotAllowed(undefined, { scope: approvals })
  const missing = scopes.find((scope) => by.scopes !== null && !by.scopes.includes(scope))
  if (missing) throw InsufficientScope(`You do not hold the scope ${missing}`, { scope: missing })
}

/** @returns the requested expiry; its form is checked, its time is not */
const parseEnd = ({ expires_in_days: days, expires_at: at }: CreateApiToken, now: Date): Date => {
  if (days !== undefined && at !== undefined) throw invalid('expires_at', 'one_of', 'excludes expires_in_days')
  if (days !== undefined) return new Date(now.getTime() + days * dayMs)
  if (at === undefined) throw invalid('expires_in_days', 'required', 'or expires_at is required')
  return new Date(at)
}

const requireValidEnd = (end: Date, now: Date, last: Date | null) => {
  const left = end.getTime() - now.getTime()
  // NaN, of a leap second, is not ahead either.
  if (!(left > 0)) throw invalid('expires_at', 'past', 'must be in the future')
  if (left > maxDays * dayMs) throw invalid('expires_at', 'too_far', `must be at most ${maxDays} days ahead`)
  if (last && end > last) throw InsufficientScope('A token cannot outlive the token that makes it')
}

/** Makes an API token that holds no more, and lives no longer, than what its maker holds. */
export const mint = async (db: Db, by: Principal, input: CreateApiToken, token: FreshToken) => {
  requireScopes(by, input.scopes, input.assistant)
  const { now, end } = await findClock(db, by.workspace_id, by.via_id)
  const until = parseEnd(input, now)
  requireValidEnd(until, now, end)
  return insertToken(db, {
    workspace_id: by.workspace_id,
    user_id: by.user_id,
    name: input.name,
    hash: token.hash,
    prefix: token.prefix,
    scopes: input.scopes,
    assistant: input.assistant,
    let_in_by: await findLetInBy(db, by.workspace_id, by.via, by.via_id),
    expires_at: until
  })
}

const longestMs = 30 * 24 * 60 * 60 * 1_000
const mostAtOnce = 20

/** @returns delegations with the people's names */
export const showDelegations = async (db: Db, { workspace_id }: Principal, rows: readonly DelegationRow[]):
Promise<Delegation[]> => {
  const names = await listNames(db, workspace_id, rows.flatMap((row) => [row.from_user_id, row.to_user_id]))
  const person = (id: string) => ({ id, name: names.get(id) ?? '' })
  return rows.map(({ from_user_id, to_user_id, ...row }) =>
    ({ ...row, from: person(from_user_id), to: person(to_user_id) }))
}

/** A person who can approve nothing is no delegate. @throws delegate_invalid */
const requireDelegate = async (db: Db, { workspace_id, user_id }: Principal, to: string): Promise<void> => {
  if (to.toLowerCase() === user_id) throw DelegateInvalid('It is you who delegates')
  const person = await findPerson(db, workspace_id, to)
  if (!person || person.status !== 'active') throw DelegateInvalid('There is no such active person in the workspace')
  // An operator decides what is of low risk, and bindings count: which question it is, is seen when it is decided.
  if (!hasRole({ role: highestRole(person) }, 'operator')) {
    throw DelegateInvalid('This person may approve nothing: it takes the role operator or more, on anything')
  }
}

/**
 * Lets another person approve for the principal.
 * @throws delegate_invalid, delegation_too_long, too_many_delegations
 */
export const delegate = async (db: Db, principal: Principal, { to, until }: CreateDelegation): Promise<Delegation> => {
  const { workspace_id: workspaceId, user_id: from } = principal
  await requireDelegate(db, principal, to)
  const left = Date.parse(until) - (await readClock(db)).getTime()
  if (!(left > 0 && left <= longestMs)) throw DelegationTooLong()
  if (await countDelegations(db, workspaceId, from) >= mostAtOnce) throw TooManyDelegations()
  const row = await insertDelegation(db, workspaceId, { from, to: to.toLowerCase(), until })
  const [shown] = await showDelegations(db, principal, [row])
  if (!shown) throw new Error('One delegation is shown as one')
  return shown
}
