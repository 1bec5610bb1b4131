import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listNames } from '../../db/account/users.js'
import { paginateById } from '../../lib/http/paginate.js'
import { ListPeople, PersonNamePage } from '../../schemas/account/users.js'
import { InvalidCursor } from '../../schemas/errors.js'

const people: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/people', {
    config: { access: { scope: 'account:read', role: 'operator' }, errors: [InvalidCursor] },
    schema: {
      operationId: 'listPeople',
      summary: 'List the names of people',
      description: 'Who is active in the workspace, newest first: to choose who approves for me, or whose questions ' +
        'to list. Their roles and addresses are for admins.',
      tags: ['account'],
      querystring: ListPeople,
      response: { 200: PersonNamePage }
    }
  }, ({ principal, query }) => paginateById(app, { principal, list: 'people', filter: query.q, query },
    (slice) => listNames(app.db, principal.workspace_id, slice, query.q)))
}

export default people
