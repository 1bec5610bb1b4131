import { findLetInBy } from '../../../../db/account/sessions.js'
import { findClock, insertToken } from '../../../../db/account/tokens.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { FreshToken } from '../../../../lib/security/tokens.js'
import { approvals, type Scope } from '../../../../schemas/account/scopes.js'
import { maxDays, type CreateApiToken } from '../../../../schemas/account/tokens.js'
import { InsufficientScope, InvalidRequest } from '../../../../schemas/errors.js'
import { ScopeNotAllowed } from '../errors.js'

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
