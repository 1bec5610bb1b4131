import type { FastifyInstance } from 'fastify'
import type { Principal } from '../../../lib/security/principal.js'
import type { Connection } from '../../../schemas/codehost/connection.js'
import { CodehostNotConfigured } from './errors.js'

type Deps = Pick<FastifyInstance, 'codehost' | 'codehostGrants'>

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
