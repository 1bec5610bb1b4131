import type { FastifyInstance } from 'fastify'
import { newExternalId } from '../../../../lib/aws/external-id.js'
import type { CloudAuthInput, StoredAuth } from '../../../../schemas/cloud/accounts.js'
import { InvalidRequest } from '../../../../schemas/errors.js'
import { isOneOf } from '../../../../schemas/unknown.js'

const fields = {
  assume_role: { allowed: ['role_arn', 'session_seconds'], required: [] },
  access_keys: { allowed: ['access_key_id', 'secret_access_key'], required: ['access_key_id', 'secret_access_key'] },
  ambient: { allowed: [], required: [] }
} as const

const invalid = (name: string, code: string, message: string) =>
  InvalidRequest(`/auth/${name} ${message}`, { errors: [{ pointer: `/auth/${name}`, code, message }] })

const requireFields = (auth: CloudAuthInput) => {
  const { allowed, required } = fields[auth.type]
  for (const name of required) if (!(name in auth)) throw invalid(name, 'required', `is needed with ${auth.type}`)
  const extra = Object.keys(auth).find((name) => name !== 'type' && !isOneOf(allowed, name))
  if (extra) throw invalid(extra, 'not_allowed', `does not go with ${auth.type}`)
}

export interface ReadAuth {
  auth: StoredAuth
  /** The key pair as JSON, to be encrypted. */
  secret: string | null
  aws_account_id: string | null
}

/** Steward's own identity is the installation's: no other workspace acts as it. In the sandbox all may. */
export const mayBeAmbient = ({ home, sandbox }: Pick<FastifyInstance, 'home' | 'sandbox'>,
  owner: { workspace_id: string }): boolean => owner.workspace_id === home.workspace_id || sandbox.aws !== undefined

/**
 * @param ambient whether the workspace may use the identity of Steward itself
 * @param held what the account has now: its ExternalId stays, since the role's trust policy names it
 * @throws invalid_request with a pointer when the fields do not fit the type
 */
export const readAuth = (auth: CloudAuthInput, ambient: boolean, held?: StoredAuth): ReadAuth => {
  requireFields(auth)
  if (auth.type === 'ambient' && !ambient) throw invalid('type', 'not_allowed', 'is of the first workspace alone')
  if (auth.type === 'ambient') return { auth: { type: 'ambient' }, secret: null, aws_account_id: null }
  if (auth.type === 'assume_role') return readRole(auth, held?.type === 'assume_role' ? held : undefined)
  const { access_key_id: accessKeyId = '', secret_access_key: secretAccessKey } = auth
  return {
    auth: { type: 'access_keys', access_key_id_hint: accessKeyId.slice(-4), rotated_at: new Date().toISOString() },
    secret: JSON.stringify({ accessKeyId, secretAccessKey }),
    aws_account_id: null
  }
}

const readRole = (auth: CloudAuthInput, held: Extract<StoredAuth, { type: 'assume_role' }> | undefined): ReadAuth => {
  const role = auth.role_arn ?? held?.role_arn ?? null
  return {
    auth: {
      type: 'assume_role',
      role_arn: role,
      external_id: held?.external_id ?? newExternalId(),
      session_seconds: auth.session_seconds ?? held?.session_seconds ?? 3600
    },
    secret: null,
    aws_account_id: role?.split(':')[4] ?? null
  }
}
