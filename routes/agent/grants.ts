import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listGrants } from '../../db/agent/grants.js'
import { paginateById } from '../../lib/http/paginate.js'
import { GiveGrant, Grant, GrantPage, GrantParams, GrantQuery } from '../../schemas/agent/grants.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { ConfirmationNotFound, GrantNotFound, GrantRefused } from './lib/errors.js'
import { giveGrant, revokeGrant, showGrants } from './lib/plans/grants.js'

const tags = ['agent']

/** None of these is a tool: who asks for approvals does not decide that none is needed. */
const grants: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/grants', {
    config: { access: { scope: 'approvals:write', role: 'member' }, errors: [ConfirmationNotFound, GrantRefused] },
    schema: {
      operationId: 'giveGrant',
      summary: 'Let the same write run again for a time',
      description: 'After an approval of yours that was enough by itself: for up to an hour its conversation runs ' +
        'this write again without asking: with the arguments that were approved, and where it changes no more than ' +
        'the card displayed; `bounds` says both. Never at high risk, nor where a policy forbids it or asks for ' +
        'others. Text from outside that the conversation reads ends it.',
      tags,
      body: GiveGrant,
      response: { 201: Grant }
    }
  }, async ({ principal, body }, reply) => {
    const grant = await giveGrant(app, principal, body)
    return reply.code(201).send(grant)
  })

  app.get('/grants', {
    config: { errors: [InvalidCursor] },
    schema: {
      operationId: 'listGrants',
      summary: 'My grants',
      description: 'Those that you have given, newest first, also what has ended.',
      tags,
      querystring: GrantQuery,
      response: { 200: GrantPage }
    }
  }, async ({ principal, query }) => {
    const { workspace_id: workspaceId, user_id: userId } = principal
    const page = await paginateById(app, { principal, list: 'grants', query },
      (slice) => listGrants(app.db, workspaceId, userId, slice))
    return { ...page, items: await showGrants(app, workspaceId, page.items) }
  })

  app.delete('/grants/:grant_id', {
    config: { access: { scope: 'approvals:write', role: 'member' }, errors: [GrantNotFound] },
    schema: {
      operationId: 'revokeGrant',
      summary: 'Revoke a grant',
      description: 'From now on the conversation asks again. What was sent under it stays.',
      tags,
      params: GrantParams,
      response: { 200: Grant }
    }
  }, ({ principal, params }) => revokeGrant(app, principal, params.grant_id))
}

export default grants
