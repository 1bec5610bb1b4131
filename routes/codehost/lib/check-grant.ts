import type { FastifyInstance } from 'fastify'
import { dropRefused } from '../../../db/codehost/grants.js'
import { findByAccount } from '../../../db/codehost/identities.js'
import { HostUser } from '../../../schemas/codehost/upstream.js'
import { accessFor } from './access.js'
import { isCode } from './read-host.js'

type Deps = Pick<FastifyInstance, 'db' | 'codehost' | 'codehostGrants' | 'log'>

/** Names whose grant is to be tried. */
export const grantJob = 'codehost.check-grant'

const isOver = async (deps: Deps, whose: { workspace_id: string, user_id: string }): Promise<boolean> => {
  try {
    const { client } = await accessFor(deps, whose)
    await client.read('GET /user', {}, HostUser)
    return false
  } catch (error) {
    // The grant's row says so by now, and everybody who asks as this person is told where to connect again.
    if (isCode(error, 'codehost_reauth_required')) return true
    throw error
  }
}

/**
 * Somebody has ended what they allowed us at the code host, an event says. It may be old, and they may have connected
 * again since: the code host itself is asked. Where it is over, the tokens and what they had shown are dropped.
 * @throws codehost_timeout, codehost_error and others: the job tries again
 */
export const checkGrant = async (deps: Deps, workspaceId: string, accountId: string): Promise<void> => {
  const identity = await findByAccount(deps.db, workspaceId, deps.codehostGrants.host, accountId)
  if (!identity || identity.state === 'disconnected') return
  const { id, user_id } = identity
  if (!await isOver(deps, { workspace_id: workspaceId, user_id })) return
  const isDropped = await deps.db.transaction().execute((trx) => dropRefused(trx, workspaceId, id))
  if (isDropped) deps.log.info({ user_id }, 'a grant was ended at the code host')
}
