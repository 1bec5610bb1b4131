import type { FastifyInstance } from 'fastify'
import { insertUser } from '../../../../db/account/users.js'
import { endConnection, type GrantRow } from '../../../../db/codehost/grants.js'
import { insertIdentity } from '../../../../db/codehost/identities.js'
import { decryptToken } from '../../../../lib/codehost/encrypted-tokens.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { Connection, Disconnection, InviteAccount } from '../../../../schemas/codehost/connection.js'
import { HostUser } from '../../../../schemas/codehost/upstream.js'
import { InsufficientScope } from '../../../../schemas/errors.js'
import { messageOf } from '../../../../schemas/unknown.js'
import {
  type Access, CodehostNotConfigured, CodehostNotConnected, CodehostAccountTaken, CodehostNotFound
} from '../access.js'
import { storable } from '../read-host.js'

/**
 * Makes a user who signs in with an account of the code host. The login is resolved once: from then on the account's
 * id counts.
 * @throws insufficient_scope for a token with scopes, codehost_not_found, codehost_account_taken
 */
export const inviteAccount = async (by: Principal, { db, client }: Access, host: string, input: InviteAccount) => {
  const { workspace_id } = by
  if (by.scopes !== null) {
    throw InsufficientScope('The invited person has no limit of scopes: use a browser session or ADMIN_TOKEN for this')
  }
  const { data } = await client.read('GET /users/{username}', { username: input.login }, HostUser)
  if (data.type === 'Organization') throw CodehostNotFound('This is an organisation, not a person')
  const [account_id, login] = [String(data.id), storable(data.login)]
  return db.transaction().execute(async (trx) => {
    const user = await insertUser(trx, workspace_id, { name: input.name ?? login.slice(0, 100), role: input.role })
    const identity = { workspace_id, user_id: user.id, host, account_id, login, joined_by: 'invitation' as const }
    if (await insertIdentity(trx, identity) === undefined) throw CodehostAccountTaken()
    return { user, account_id, login }
  })
}

type Deps = Pick<FastifyInstance, 'db' | 'secrets' | 'codehost' | 'codehostGrants' | 'codehostOauth' | 'log'>

/** @throws codehost_not_configured, codehost_not_connected, codehost_reauth_required */
export const describeConnection = async ({ codehost, codehostGrants: grants }: Deps, principal: Principal):
Promise<Connection> => {
  if (!codehost.configured) throw CodehostNotConfigured()
  const { account_id, login } = await grants.of(principal)
  const row = await grants.find(principal)
  return {
    account_id,
    login,
    host: codehost.addresses.web,
    scopes: row?.scope.split(' ').filter(Boolean) ?? [],
    connected_at: row?.connected_at ?? null
  }
}

/** Only a valid token can revoke its grant: an expired one is refreshed first. */
const endUpstream = async ({ secrets, codehost, codehostOauth }: Deps, row: GrantRow): Promise<boolean> => {
  if (!row.access_token) return true
  const { access_token } = row.dead && row.refresh_token
    ? await codehostOauth.client.refresh(decryptToken(secrets, row, 'refresh_token'))
    : { access_token: decryptToken(secrets, row, 'access_token') }
  return codehost.revoke(access_token, row.refresh_token !== null)
}

const isEnded = async (deps: Deps, row: GrantRow): Promise<boolean> => {
  try {
    return await endUpstream(deps, row)
  } catch (error) {
    // The code host refuses the refresh token: the grant is revoked already.
    if (error instanceof Error && 'ofGrant' in error && error.ofGrant) return true
    deps.log.warn({ user_id: row.user_id, reason: messageOf(error) }, 'token of the code host not revoked')
    return false
  }
}

/**
 * Deletes a person's connection here, then revokes it at the code host: whatever the code host answers, nothing is
 * kept here.
 * @throws codehost_not_connected
 */
export const disconnect = async (deps: Deps, principal: Principal): Promise<Disconnection> => {
  const { db, codehost, codehostGrants } = deps
  const row = await db.transaction().execute((trx) =>
    endConnection(trx, principal.workspace_id, codehostGrants.host, principal.user_id))
  if (!row) throw CodehostNotConnected()
  const revoked_upstream = await isEnded(deps, row)
  const { account_id, login } = row
  return { account_id, login, revoked_upstream, revoke_url: revoked_upstream ? null : codehost.settingsUrl }
}
