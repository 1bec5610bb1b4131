import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ActivityPage, ListActivity } from '../../schemas/codehost/activity.js'
import { RepoParams } from '../../schemas/codehost/repositories.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { cursorsOf } from './cursor.js'
import { accessFor, codehostErrors, InvalidRepoId, RepoNotFound } from './lib/access.js'
import { describeActivity, listActivity } from './lib/activity/list-activity.js'
import { codehostFields } from './lib/field-words.js'

const activity: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/repos/:repo_id/activity', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to see what happened in a repository: pushes, branches, tags, pull requests, reviews, ' +
          'releases.',
        gives: 'the events, newest first, and since when the list is complete.',
        keywords: 'activity happened events feed repository timeline weekend',
        fields: codehostFields
      },
      errors: [...codehostErrors, InvalidCursor, InvalidRepoId, RepoNotFound]
    },
    schema: {
      operationId: 'listActivity',
      summary: 'List what has happened in a repository',
      description: 'The latest first: pushes, branches, tags, pull requests, reviews and releases, from webhooks and ' +
        'from the history of the code host, each once. complete_from is the time from which the list is complete.',
      tags: ['codehost'],
      params: RepoParams,
      querystring: ListActivity,
      response: { 200: ActivityPage }
    }
  }, async ({ principal, params: { repo_id: id }, query }) => {
    const { from, encode } = cursorsOf(app, principal, `activity of ${id}`, query)
    const { items, next, ...rest } = await listActivity(app, await accessFor(app, principal), id, query, from)
    return { items: items.map(describeActivity), next_cursor: encode(next), ...rest }
  })
}

export default activity
