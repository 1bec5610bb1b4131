import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listKeys } from '../../db/record/checkpoints.js'
import { toPublicKey } from '../../lib/record/checkpoint.js'
import type { Access } from '../../lib/security/principal.js'
import { NotFound } from '../../schemas/errors.js'
import { AuditKeys } from '../../schemas/record/entries.js'
import { currentKey, rotateKey } from './lib/sign-checkpoint.js'

const writes: Access = { scope: 'account:write', role: 'admin' }

/** Keys are published before they sign anything: who saves them today can check what is signed tomorrow. */
export const publicKeys: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/.well-known/steward-audit-keys.json', {
    config: { public: 'who checks the record is no user of it, and the keys are public' },
    schema: {
      operationId: 'getAuditKeys',
      summary: 'Keys of the record',
      description: 'The public keys with which checkpoints of the record are signed, and were: as a JSON Web Key Set.',
      tags: ['service'],
      security: [],
      response: { 200: AuditKeys }
    }
  }, async () => {
    await currentKey(app, app.db)
    const keys = await listKeys(app.db, app.home.workspace_id)
    return {
      keys: keys.map(({ id, public_key: x, created_at, retired_at }) =>
        ({ ...toPublicKey(id, x), created_at, retired_at }))
    }
  })
}

const keys: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/account/audit/keys', {
    config: { access: writes, errors: [NotFound] },
    schema: {
      operationId: 'rotateAuditKey',
      summary: 'Take a new key for the record',
      description: 'For admins of the installation. Checkpoints are signed with it from now on; the old keys are ' +
        'still published.',
      tags: ['account'],
      response: { 204: Type.Null({ description: 'There is a new key' }) }
    }
  }, async ({ principal }, reply) => {
    if (principal.workspace_id !== app.home.workspace_id) throw NotFound()
    await rotateKey(app)
    return reply.code(204).send(null)
  })
}

export default keys
