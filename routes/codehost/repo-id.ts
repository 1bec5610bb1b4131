import type { FastifyInstance } from 'fastify'
import { repoIdPattern } from '../../schemas/codehost/repositories.js'
import { InvalidRepoId } from './lib/access.js'
import { textIn } from '../../schemas/unknown.js'

const repoId = new RegExp(repoIdPattern)

/** Refuses an invalid id with a code of its own; the schema would only answer invalid_request. */
export const requireValidRepoIds = (app: FastifyInstance): void => {
  app.addHook('preValidation', async ({ params }) => {
    // A route's parameters are text by name.
    const id = textIn(params, 'repo_id')
    if (id === undefined || repoId.test(id)) return
    const message = 'is not the numeric id of a repository'
    throw InvalidRepoId(`/params/repo_id ${message}`,
      { errors: [{ pointer: '/params/repo_id', code: 'pattern', message }] })
  })
}
