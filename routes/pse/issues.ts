import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { codehostErrors, RepoNotFound } from '../../schemas/codehost/errors.js'
import { ListSpecIssues, OpenedSpecIssues, OpenSpecIssues, SpecIssues } from '../../schemas/pse/issues.js'
import { SpecSessionParams } from '../../schemas/pse/sessions.js'
import { IssueInProgress, NoTasks, NoVersion, TargetUnknown } from './lib/errors.js'
import { specFields } from './lib/field-words.js'
import { openSpecIssuesTool } from './lib/issues/issues-tool.js'
import { openIssues, listTaskIssues } from './lib/issues/open-issues.js'

const issues: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/sessions/:session_id/issues', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to see the tasks of a spec, and whether the issues that were made of them are open or closed.',
        gives: 'each task with its requirements and its issues, as the code host has them now.',
        keywords: 'tasks issues tickets of a spec specification open closed progress todo backlog',
        fields: specFields
      },
      errors: [NoVersion]
    },
    schema: {
      operationId: 'listSpecIssues',
      summary: 'List the tasks of a spec with their issues',
      description: 'The tasks of a version, each with the issues that were created of it. Their states are read from ' +
        'the code host now, as you, of the first 200.',
      tags: ['pse'],
      params: SpecSessionParams,
      querystring: ListSpecIssues,
      response: { 200: SpecIssues }
    }
  }, ({ principal, params, query }) => listTaskIssues(app, principal, params.session_id, query))

  app.post('/sessions/:session_id/issues', {
    config: {
      tool: openSpecIssuesTool,
      words: {
        foreign: false,
        use: 'Use this to create issues in a repository from the tasks of a spec. A task never gets a second one.',
        gives: 'each task with the number and address of its issue, and how many tasks have none yet.',
        keywords: 'create open issues tickets from tasks of a spec specification backlog work items plan',
        fields: specFields
      },
      errors: [NoVersion, NoTasks, TargetUnknown, IssueInProgress, RepoNotFound, ...codehostErrors]
    },
    schema: {
      operationId: 'openSpecIssues',
      summary: 'Create issues from the tasks of a spec',
      description: 'Creates an issue for each task that has none in the repository, 30 at most in a call: 201. The ' +
        'same call again changes nothing: 200. A later version of the spec finds the issue of the same task. When ' +
        'the code host refuses one, the answer names those that were created. Needs your connection to the code host.',
      tags: ['pse'],
      params: SpecSessionParams,
      body: OpenSpecIssues,
      response: { 200: OpenedSpecIssues, 201: OpenedSpecIssues }
    }
  }, async ({ principal, params, body }, reply) => {
    const opened = await openIssues(app, principal, params.session_id, body)
    return reply.code(opened.issues.some(({ outcome }) => outcome === 'created') ? 201 : 200).send(opened)
  })
}

export default issues
