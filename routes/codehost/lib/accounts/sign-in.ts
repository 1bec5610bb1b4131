import type { FastifyInstance, FastifyBaseLogger } from 'fastify'
import { hasActiveAdmin, insertUser, recordSignIn, updateUser } from '../../../../db/account/users.js'
import { lockWorkspace } from '../../../../db/account/workspace.js'
import {
  findByAccount, insertIdentity, updateIdentity, type IdentityRow, pinOrganisation
} from '../../../../db/codehost/identities.js'
import type { Db } from '../../../../db/index.js'
import type { Role } from '../../../../db/types.js'
import type { CodehostClient } from '../../../../lib/codehost/client.js'
import type { SignInRule } from '../../../../lib/codehost/sign-in-rules.js'
import { beginSession, type Browser } from '../../../../lib/security/browser-session.js'
import { hasHigherRole } from '../../../../lib/security/principal.js'
import { HostMembership } from '../../../../schemas/codehost/upstream.js'
import { SignInNotAllowed } from '../access.js'
import { isCode } from '../read-host.js'
import type { Proof } from './prove-account.js'

/** What judging a sign-in needs; `client` calls the code host with the person's own token. */
export interface Judging {
  db: Db
  log: FastifyBaseLogger
  workspaceId: string
  host: string
  client: CodehostClient
}

/** @returns the active membership; undefined = none, or none that this token may see */
const findActive = async (request: Promise<{ data: HostMembership }>): Promise<HostMembership | undefined> => {
  try {
    const { data } = await request
    return data.state === 'active' ? data : undefined
  } catch (error) {
    if (isCode(error, 'codehost_not_found') || isCode(error, 'codehost_forbidden')) return undefined
    throw error
  }
}

/** An organisation's name can pass to strangers, so its id counts: the one in the rule, else the first one seen. */
const isMeant = async ({ db, log, workspaceId, host }: Judging, rule: SignInRule, found: string): Promise<boolean> => {
  const { organisation: login, organisation_id: named } = rule
  if (named !== null) return named === found
  const pin = { workspace_id: workspaceId, host, login, organisation_id: found }
  const { organisation_id: kept, isNew } = await pinOrganisation(db, pin)
  const logged = { workspace_id: workspaceId, organisation: login, organisation_id: found }
  if (isNew) log.warn(logged, `rule of sign-in: ${login} is pinned to this id; write ${login}#${found}`)
  if (!isNew && kept !== found) {
    log.warn({ ...logged, kept }, `rule of sign-in: ${login} is another organisation than before`)
  }
  return kept === found
}

const holds = async (judging: Judging, rule: SignInRule, username: string): Promise<boolean> => {
  const { client } = judging
  const { organisation: org, team } = rule
  const membership = await findActive(client.read('GET /user/memberships/orgs/{org}', { org }, HostMembership))
  const found = membership?.organization?.id
  if (found === undefined || !await isMeant(judging, rule, String(found))) return false
  if (team === null) return true
  const path = { org, team_slug: team, username }
  const route = 'GET /orgs/{org}/teams/{team_slug}/memberships/{username}'
  return await findActive(client.read(route, path, HostMembership)) !== undefined
}

/** @returns the highest role that a rule gives the person; null = none does */
const judgeRules = async (judging: Judging, rules: SignInRule[], login: string): Promise<Role | null> => {
  const highestFirst = rules.toSorted((a, b) => hasHigherRole(a.role, b.role) ? -1 : 1)
  for (const rule of highestFirst) if (await holds(judging, rule, login)) return rule.role
  return null
}

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
