import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ProjectInstructions, ProjectParams, PutProjectInstructions } from '../../schemas/account/projects.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { changeInstructions, readInstructions } from './lib/settings/change-project.js'

const tags = ['account']

/** None of these is a tool: an assistant that was misled once must not keep what misled it. */
const projectInstructions: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/projects/:project_id/instructions', {
    schema: {
      operationId: 'getProjectInstructions',
      summary: 'What the assistant is given with a project',
      description: 'The text comes with each message for which the project is selected. The ETag is its revision.',
      tags,
      params: ProjectParams,
      response: { 200: ProjectInstructions }
    }
  }, async ({ principal, params }, reply) => {
    const instructions = await readInstructions(app.db, principal.workspace_id, params.project_id)
    reply.header('etag', etag(instructions.revision))
    return instructions
  })

  app.put('/projects/:project_id/instructions', {
    config: { errors: [StaleRevision] },
    schema: {
      operationId: 'putProjectInstructions',
      summary: 'Change what the assistant is given with a project',
      description: 'An empty text takes it away. It changes no rule: what needs an approval needs it all the same. ' +
        'With If-Match only if that revision is current.',
      tags,
      params: ProjectParams,
      headers: IfMatch,
      body: PutProjectInstructions,
      response: { 200: ProjectInstructions }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    const revisions = readIfMatch(headers['if-match'])
    const instructions = await changeInstructions(app.db, principal, params.project_id, body, revisions)
    reply.header('etag', etag(instructions.revision))
    return instructions
  })
}

export default projectInstructions
