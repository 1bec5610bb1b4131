import { countDelegations, insertDelegation, type DelegationRow } from '../../../../db/account/delegations.js'
import { findPerson, listNames } from '../../../../db/account/principals.js'
import { readClock } from '../../../../db/clock.js'
import type { Db } from '../../../../db/index.js'
import { highestRole } from '../../../../lib/access/role-on.js'
import { hasRole, type Principal } from '../../../../lib/security/principal.js'
import type { CreateDelegation, Delegation } from '../../../../schemas/account/delegations.js'
import { DelegateInvalid, DelegationTooLong, TooManyDelegations } from '../errors.js'

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
