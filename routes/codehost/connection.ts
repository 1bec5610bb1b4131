import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Connection, Disconnection } from '../../schemas/codehost/connection.js'
import { describeConnection, disconnect } from './lib/connection.js'
import { codehostErrors, CodehostNotConnected } from './lib/errors.js'

const connection: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/connection', {
    config: { errors: codehostErrors },
    schema: {
      operationId: 'getCodehostConnection',
      summary: 'Who you are at the code host',
      description: 'The account of the code host that you are connected to. You may see what this account may see.',
      tags: ['codehost'],
      response: { 200: Connection }
    }
  }, ({ principal }) => describeConnection(app, principal))

  app.delete('/connection', {
    config: { access: { scope: 'codehost:write', role: 'viewer' }, errors: [CodehostNotConnected] },
    schema: {
      operationId: 'disconnectCodehost',
      summary: 'Disconnect from the code host',
      description: 'Deletes your tokens and your stored rights, and revokes the tokens at the code host. Where that ' +
        'fails, revoked_upstream is false and revoke_url is where you can do it. A person who joined with this ' +
        'account can still sign in with it.',
      tags: ['codehost'],
      response: { 200: Disconnection }
    }
  }, ({ principal }) => disconnect(app, principal))
}

export default connection
