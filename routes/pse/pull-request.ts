import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { BranchTaken, codehostErrors, RepoNotFound } from '../../schemas/codehost/errors.js'
import { OpenedSpecPull, OpenSpecPull } from '../../schemas/pse/pull.js'
import { SpecSessionParams } from '../../schemas/pse/sessions.js'
import { NoVersion } from './lib/errors.js'
import { openSpecPull } from './lib/pull/open-pull.js'
import { openSpecPullTool } from './lib/pull/pull-tool.js'
import { specFields } from './lib/field-words.js'

const pullRequest: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/sessions/:session_id/pull-request', {
    config: {
      tool: openSpecPullTool,
      words: {
        foreign: false,
        use: 'Use this to bring a spec into a repository: its files go to a branch, and a pull request is opened ' +
          'or updated.',
        gives: 'the pull request with its number and address.',
        keywords: 'pull request pr spec specification repository commit export',
        fields: specFields
      },
      errors: [NoVersion, RepoNotFound, BranchTaken, ...codehostErrors]
    },
    schema: {
      operationId: 'openSpecPull',
      summary: 'Open a pull request with a spec',
      description: 'Puts the files of an export on a branch of the session and opens a pull request that lists ' +
        'what the checks found: 201. The same version again changes nothing, a newer one updates the same pull ' +
        'request: 200. Needs your connection to the code host, and the right to write to the repository there.',
      tags: ['pse'],
      params: SpecSessionParams,
      body: OpenSpecPull,
      response: { 200: OpenedSpecPull, 201: OpenedSpecPull }
    }
  }, async ({ principal, params, body }, reply) => {
    const opened = await openSpecPull(app, principal, params.session_id, body)
    return reply.code(opened.outcome === 'opened' ? 201 : 200).send(opened)
  })
}

export default pullRequest
