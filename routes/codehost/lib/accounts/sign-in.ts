import type { FastifyInstance } from 'fastify'
import { hasActiveAdmin, insertUser, recordSignIn, updateUser } from '../../../../db/account/users.js'
import { lockWorkspace } from '../../../../db/account/workspace.js'
import { findByAccount, insertIdentity, updateIdentity, type IdentityRow } from '../../../../db/codehost/identities.js'
import type { Db } from '../../../../db/index.js'
import type { Role } from '../../../../db/types.js'
import { beginSession, type Browser } from '../../../../lib/security/browser-session.js'
import { SignInNotAllowed } from '../errors.js'
import { judgeRules } from './judge-rules.js'
import type { Proof } from './prove-account.js'

type Deps = Pick<FastifyInstance, 'db' | 'log' | 'codehostGrants' | 'codehostOauth'>

interface Person { user_id: string, identity_id: string }

/** Makes a user for an account that a rule lets in. */
const join = async (trx: Db, workspaceId: string, host: string, proof: Proof, role: Role | null): Promise<Person> => {
  if (!role) throw SignInNotAllowed()
  const { account_id, login, name } = proof
  const { id: user_id } = await insertUser(trx, workspaceId, { name, role })
  const identity_id = await insertIdentity(trx,
    { workspace_id: workspaceId, user_id, host, account_id, login, joined_by: 'rule', rule_role: role })
  if (identity_id === undefined) throw SignInNotAllowed()
  return { user_id, identity_id }
}

/** A person who joined by a rule keeps the role that an admin gave them, until the rules give another role. */
const follow = async (trx: Db, workspaceId: string, { user_id, rule_role }: IdentityRow, role: Role) => {
  if (role === rule_role) return
  await updateUser(trx, workspaceId, user_id, { role })
  // The last admin stays one.
  if (!await hasActiveAdmin(trx, workspaceId)) await updateUser(trx, workspaceId, user_id, { role: 'admin' })
}

const welcomeBack = async (trx: Db, workspaceId: string, identity: IdentityRow, login: string,
  role: Role | null): Promise<Person> => {
  if (identity.joined_by === 'rule') {
    if (!role) throw SignInNotAllowed()
    await follow(trx, workspaceId, identity, role)
  }
  await updateIdentity(trx, workspaceId, identity.id,
    { login, ...(identity.joined_by === 'rule' && role && { rule_role: role }) })
  return { user_id: identity.user_id, identity_id: identity.id }
}

/**
 * Signs in the owner of the account, found by its numeric id alone. A new person needs a rule that allows them; one
 * who joined by a rule still needs it at every sign-in.
 * @throws sign_in_not_allowed, for a disabled user too; codehost_error and others of asking about memberships
 */
export const signIn = async (deps: Deps, proof: Proof, browser: Browser) => {
  const { db, log, codehostGrants: grants, codehostOauth } = deps
  const { workspaceId: workspace_id } = browser
  // Of this workspace alone: whoever the rules let in here is nobody in another.
  const rules = codehostOauth.rulesOf(workspace_id)
  const before = await findByAccount(db, workspace_id, grants.host, proof.account_id)
  const asksRules = !before || before.joined_by === 'rule'
  const judging = { db, log, workspaceId: workspace_id, host: grants.host, client: proof.client }
  const role = asksRules ? await judgeRules(judging, rules, proof.login) : null
  await db.transaction().execute(async (trx) => {
    // Two tabs of a new person make one user, and the last admin stays an admin.
    await lockWorkspace(trx, workspace_id)
    const known = await findByAccount(trx, workspace_id, grants.host, proof.account_id)
    const person = known
      ? await welcomeBack(trx, workspace_id, known, proof.login, role)
      : await join(trx, workspace_id, grants.host, proof, role)
    const user = await recordSignIn(trx, workspace_id, person.user_id)
    if (!user) throw SignInNotAllowed()
    await grants.keep(trx, workspace_id, person.identity_id, proof.issued)
    await beginSession(trx, workspace_id, user, browser,
      { operation: 'completeCodehostAuthorization', target: `codehost:${proof.account_id}`, status: 302 })
  })
}
