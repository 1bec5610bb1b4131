import type { FastifyInstance } from 'fastify'
import { repoIdPattern } from '../../schemas/codehost/repositories.js'
import { InvalidRepoId } from './lib/errors.js'

const repoId = new RegExp(repoIdPattern)

/** An id that is none has a code of its own; the schema would only say invalid_request. */
export const refuseInvalidRepoIds = (app: FastifyInstance): void => {
  app.addHook('preValidation', async ({ params }) => {
    // A route's parameters are text by name.
    const { repo_id: id } = params as { repo_id?: string }
    if (id === undefined || repoId.test(id)) return
    const message = 'is not the numeric id of a repository'
    throw InvalidRepoId(`/params/repo_id ${message}`,
      { errors: [{ pointer: '/params/repo_id', code: 'pattern', message }] })
  })
}
