import type { FastifyRequest } from 'fastify'
import type { AuditEntry } from '../../../../db/audit.js'

/** Whose request it is, from where, and the signature with which it came. */
export type Where = Pick<FastifyRequest, 'principal' | 'ip' | 'id' | 'signed'>

/** An entry of the record about a passkey, which names it: its public key is no secret. */
export const passkeyEntry = ({ principal, ip, id, signed }: Where, operation: string, target: string,
  passkey: Record<string, unknown>): AuditEntry => ({
  workspace_id: principal.workspace_id,
  user_id: principal.user_id,
  via: principal.via,
  via_id: principal.via_id,
  operation,
  target,
  outcome: 'succeeded',
  status: null,
  remote_address: ip,
  request_id: id,
  body: { passkey, ...(signed && { signed }) }
})
