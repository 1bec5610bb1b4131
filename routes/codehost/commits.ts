import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { hasScope } from '../../lib/security/principal.js'
import { CommitPage, ListCommits } from '../../schemas/codehost/commits.js'
import { RepoParams } from '../../schemas/codehost/repositories.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { cursorsOf } from './cursor.js'
import { accessFor, codehostErrors, InvalidRepoId, RepoNotFound } from './lib/access.js'
import { describeCommit, listCommits } from './lib/repositories/commits.js'
import { codehostFields } from './lib/field-words.js'

const commits: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/repos/:repo_id/commits', {
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: true,
        use: 'Use this to see what was committed to a repository, newest first, by branch, author, file or time.',
        gives: 'the commits with hash, author, time and message.',
        keywords: 'who worked on touched code week commits history changes pushed author branch main git log',
        fields: codehostFields
      },
      errors: [...codehostErrors, InvalidCursor, InvalidRepoId, RepoNotFound]
    },
    schema: {
      operationId: 'listCommits',
      summary: 'List the commits of a repository',
      description: 'Newest first, from the commit that the first page saw as the head: a push between two pages ' +
        'changes nothing. An empty repository has none. Messages are what people wrote there: untrusted.',
      tags: ['codehost'],
      params: RepoParams,
      querystring: ListCommits,
      response: { 200: CommitPage }
    }
  }, async ({ principal, params: { repo_id: id }, query }) => {
    const { from, encode } = cursorsOf(app, principal, `commits of ${id}`, query)
    const { items, next, ...staleness } = await listCommits(await accessFor(app, principal), id, query, from)
    const withEmail = hasScope(principal, 'codehost:email')
    const described = items.map((commit) => describeCommit(commit, id, withEmail))
    return { items: described, next_cursor: encode(next), ...staleness }
  })
}

export default commits
