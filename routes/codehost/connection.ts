import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Connection } from '../../schemas/codehost/connection.js'
import { CodehostNotConnected, CodehostReauthRequired } from '../../schemas/codehost/errors.js'

const connection: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/connection', {
    config: { errors: [CodehostNotConnected, CodehostReauthRequired] },
    schema: {
      operationId: 'getCodehostConnection',
      summary: 'Who you are at the code host',
      description: 'The account of the code host that you are connected to. What you may see is what it may see.',
      tags: ['codehost'],
      response: { 200: Connection }
    }
  }, async ({ principal }) => {
    const { account_id, login } = await app.codehostGrants.of(principal)
    return { account_id, login }
  })
}

export default connection
