import type { FastifyInstance } from 'fastify'
import { insertAudit } from '../../../../db/audit.js'
import { findByAccount, insertIdentity, updateIdentity } from '../../../../db/codehost/identities.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { CodehostAccountTaken, CodehostOtherAccount } from '../errors.js'
import type { Proof } from './prove-account.js'

type Deps = Pick<FastifyInstance, 'db' | 'codehostGrants'>

interface Occasion { address: string, requestId: string }

const claim = async (trx: Db, host: string, { workspace_id, user_id }: Principal, proof: Proof): Promise<string> => {
  const { account_id, login } = proof
  const known = await findByAccount(trx, workspace_id, host, account_id)
  if (known && known.user_id !== user_id) throw CodehostAccountTaken()
  if (known) {
    await updateIdentity(trx, workspace_id, known.id, { login })
    return known.id
  }
  const made = await insertIdentity(trx, { workspace_id, user_id, host, account_id, login, joined_by: 'link' })
  if (made === undefined) throw CodehostOtherAccount()
  return made
}

/**
 * Connects a signed-in person with an account that they have just proved to own.
 * @throws codehost_account_taken, codehost_other_account
 */
export const linkAccount = ({ db, codehostGrants: grants }: Deps, principal: Principal, proof: Proof,
  { address, requestId }: Occasion) => db.transaction().execute(async (trx) => {
  const { workspace_id, user_id, via, via_id } = principal
  await grants.keep(trx, workspace_id, await claim(trx, grants.host, principal, proof), proof.issued)
  await insertAudit(trx, {
    workspace_id,
    user_id,
    via,
    via_id,
    operation: 'completeCodehostAuthorization',
    target: `codehost:${proof.account_id}`,
    outcome: 'succeeded',
    status: 302,
    remote_address: address,
    request_id: requestId
  })
})
