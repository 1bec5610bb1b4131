import { insertUser } from '../../../../db/account/users.js'
import { insertIdentity } from '../../../../db/codehost/identities.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { InviteAccount } from '../../../../schemas/codehost/invitations.js'
import { HostUser } from '../../../../schemas/codehost/upstream.js'
import { InsufficientScope } from '../../../../schemas/errors.js'
import type { Access } from '../access.js'
import { CodehostAccountTaken, CodehostNotFound } from '../errors.js'
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
