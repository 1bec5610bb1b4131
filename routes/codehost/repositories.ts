import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ListRepositories, RepoParams, Repository, RepositoryPage } from '../../schemas/codehost/repositories.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { cursorsOf } from './cursor.js'
import { accessFor, codehostErrors, InvalidRepoId, RepoNotFound } from './lib/access.js'
import { describeRepository, findRepository } from './lib/repositories/find-repository.js'
import { listRepositories } from './lib/repositories/list-repositories.js'
import { stalenessOf } from './lib/read-host.js'
import { codehostFields } from './lib/field-words.js'

const repositories: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/repos', {
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: true,
        use: 'Use this to see which repositories the person may read at the code host, or to find the id of one.',
        gives: 'the repositories with id, full name, default branch and visibility.',
        keywords: 'repos repositories code host git github',
        fields: codehostFields
      },
      errors: [...codehostErrors, InvalidCursor]
    },
    schema: {
      operationId: 'listRepositories',
      summary: 'List repositories',
      description: 'The repositories that you may see at the code host, by name. Reads the code host as you. With ' +
        'q or archived a page may be short and not be the last: next_cursor is null on the last. Organizations that ' +
        'want a sign-in by SAML first are named in hidden_organizations.',
      tags: ['codehost'],
      querystring: ListRepositories,
      response: { 200: RepositoryPage }
    }
  }, async ({ principal, query }) => {
    const { from, encode } = cursorsOf(app, principal, 'repositories', query)
    const listed = await listRepositories(await accessFor(app, principal), query, from)
    const { items, next, hidden = [] } = listed
    return { items, next_cursor: encode(next), hidden_organizations: hidden, ...stalenessOf(listed) }
  })

  app.get('/repos/:repo_id', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to see one repository: its default branch, visibility, owner and whether it is archived.',
        gives: 'the repository under whatever name it has now.',
        keywords: 'repo default branch visibility public private owner archived git github',
        fields: codehostFields
      },
      errors: [...codehostErrors, InvalidRepoId, RepoNotFound]
    },
    schema: {
      operationId: 'getRepository',
      summary: 'Read one repository',
      description: 'One repository by its numeric id, under whatever name it has now. One that you may not see is ' +
        'answered as one that does not exist.',
      tags: ['codehost'],
      params: RepoParams,
      response: { 200: Repository }
    }
  }, async ({ principal, params }) => {
    const { host, known } = await findRepository(await accessFor(app, principal), params.repo_id)
    return describeRepository(host, known)
  })
}

export default repositories
