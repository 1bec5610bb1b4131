import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listDelegations, revokeDelegation } from '../../db/account/tokens.js'
import { paginateById } from '../../lib/http/paginate.js'
import { hasRole, type Access } from '../../lib/security/principal.js'
import {
  CreateDelegation, Delegation, DelegationPage, DelegationParams, ListDelegations
} from '../../schemas/account/sessions.js'
import { InvalidCursor, NotFound } from '../../schemas/errors.js'
import { delegate, showDelegations } from './lib/people/tokens.js'
import { DelegateInvalid, DelegationTooLong, TooManyDelegations } from './lib/errors.js'

/** It says who approves: a token that may not approve delegates nothing. */
const own: Access = { scope: 'approvals:write', role: 'member' }

const delegations: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/delegations', {
    config: { errors: [InvalidCursor] },
    schema: {
      operationId: 'listDelegations',
      summary: 'Who approves for whom',
      description: 'What I have given and what was given to me, newest first, ended ones too. Admins see all.',
      tags: ['account'],
      querystring: ListDelegations,
      response: { 200: DelegationPage }
    }
  }, async ({ principal, query }) => {
    const whose = hasRole(principal, 'admin') ? null : principal.user_id
    const page = await paginateById(app, { principal, list: 'delegations', filter: whose, query },
      (slice) => listDelegations(app.db, principal.workspace_id, whose, slice))
    return { ...page, items: await showDelegations(app.db, principal, page.items) }
  })

  app.post('/delegations', {
    config: { access: own, errors: [DelegateInvalid, DelegationTooLong, TooManyDelegations] },
    schema: {
      operationId: 'createDelegation',
      summary: 'Let another person approve for me',
      description: 'Until a time, 30 days at most. Their approval counts as mine, as one of my groups, beside ' +
        'nothing of their own: one person is never two in a question. What was delegated to me, they do not get.',
      tags: ['account'],
      body: CreateDelegation,
      response: { 201: Delegation }
    }
  }, async ({ principal, body }, reply) => reply.code(201).send(await delegate(app.db, principal, body)))

  app.delete('/delegations/:delegation_id', {
    config: { access: { ...own, owner: 'person_or_admin' } },
    schema: {
      operationId: 'revokeDelegation',
      summary: 'End a delegation',
      description: 'From now on; approvals that were given stay. Again = the same answer. Admins may end anybody\'s.',
      tags: ['account'],
      params: DelegationParams,
      response: { 204: Type.Null({ description: 'Ended' }) }
    }
  }, async ({ principal, params }, reply) => {
    const whose = hasRole(principal, 'admin') ? null : principal.user_id
    if (!await revokeDelegation(app.db, principal.workspace_id, whose, params.delegation_id)) throw NotFound()
    return reply.code(204).send(null)
  })
}

export default delegations
