import type { FastifyRequest } from 'fastify'
import type { Principal } from '../../../../lib/security/principal.js'

export const refuses = {
  insufficient_role: 'who approves needs the right to do it themselves',
  insufficient_scope: 'who approves needs the right to do it themselves'
}

/** The record says where a decision came from; what a channel was clicked in, its area says. */
export const whereOf = ({ principal, ip, id }: FastifyRequest): Principal =>
  ({ ...principal, origin: principal.origin ?? { remote_address: ip, request_id: id } })

/** Whoever asked it sees it, and who may approve it: to all others a question is not there. */
export const reads = { scope: 'agent:read', role: 'viewer', owner: 'approvers' } as const
export const decides = { scope: 'approvals:write', role: 'operator', owner: 'approvers' } as const
