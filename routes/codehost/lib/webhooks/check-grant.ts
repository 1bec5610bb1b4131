import type { FastifyInstance } from 'fastify'
import { dropRefused } from '../../../../db/codehost/grants.js'
import { findByAccount } from '../../../../db/codehost/identities.js'
import { HostUser } from '../../../../schemas/codehost/upstream.js'
import { accessFor } from '../access.js'
import { isCode } from '../read-host.js'

type Deps = Pick<FastifyInstance, 'db' | 'codehost' | 'codehostGrants' | 'log'>

/** The job's name. Its data names the account whose grant is to be checked. */
export const grantJob = 'codehost.check-grant'

const isRevoked = async (deps: Deps, owner: { workspace_id: string, user_id: string }): Promise<boolean> => {
  try {
    const { client } = await accessFor(deps, owner)
    await client.read('GET /user', {}, HostUser)
    return false
  } catch (error) {
    // The client has marked the grant: every further call as this person answers that they must connect again.
    if (isCode(error, 'codehost_reauth_required')) return true
    throw error
  }
}

/**
 * Checks a grant after an event reported that the person revoked it. The event may be old, and the person may have
 * connected again since, so the code host is asked. A revoked grant loses its tokens and its stored rights.
 * @throws codehost_timeout, codehost_error and others: the job is retried
 */
export const checkGrant = async (deps: Deps, workspaceId: string, accountId: string): Promise<void> => {
  const identity = await findByAccount(deps.db, workspaceId, deps.codehostGrants.host, accountId)
  if (!identity || identity.state === 'disconnected') return
  const { id, user_id } = identity
  if (!await isRevoked(deps, { workspace_id: workspaceId, user_id })) return
  const isDropped = await deps.db.transaction().execute((trx) => dropRefused(trx, workspaceId, id))
  if (isDropped) deps.log.info({ user_id }, 'a grant was ended at the code host')
}
