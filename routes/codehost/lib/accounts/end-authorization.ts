import type { FastifyInstance } from 'fastify'
import { insertAudit } from '../../../../db/audit.js'
import type { ApiError } from '../../../../schemas/errors.js'
import type { Proof } from './prove-account.js'

type Deps = Pick<FastifyInstance, 'db' | 'codehost' | 'log'>

interface Refusal { workspaceId: string, error: ApiError, userId: string | null, address: string, requestId: string }

/** Audits that a person proved an account and was refused, and revokes the token that is not needed. */
export const endAuthorization = async ({ db, codehost, log }: Deps, proof: Proof, refusal: Refusal):
Promise<void> => {
  await insertAudit(db, {
    workspace_id: refusal.workspaceId,
    user_id: refusal.userId,
    via: 'system',
    via_id: null,
    operation: 'completeCodehostAuthorization',
    target: `codehost:${proof.account_id}`,
    outcome: refusal.error.code,
    status: refusal.error.statusCode,
    remote_address: refusal.address,
    request_id: refusal.requestId
  })
  const ended = await codehost.revoke(proof.issued.access_token, false)
  if (!ended) log.warn({ account_id: proof.account_id }, 'an unneeded token of the code host was not revoked')
}
