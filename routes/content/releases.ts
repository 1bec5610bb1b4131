import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { codehostErrors, RepoNotFound } from '../../schemas/codehost/errors.js'
import { Brief, CreateReleaseBrief } from '../../schemas/content/briefs.js'
import { NotFound } from '../../schemas/errors.js'
import { etag } from '../../schemas/revisions.js'
import { NothingReleased, ProjectArchived } from './lib/errors.js'
import { createReleaseBrief } from './lib/release/create-release-brief.js'

const releases: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/briefs/releases', {
    config: { errors: [NotFound, ProjectArchived, NothingReleased, RepoNotFound, ...codehostErrors] },
    schema: {
      operationId: 'createReleaseBrief',
      summary: 'Create a brief of a release',
      description: 'Reads what `head` has and `base` has not, with your access at the code host: merged pull ' +
        'requests, and commits that are of none. Each is a fact with its link; the points group ' +
        'them by label or by the type ' +
        'of a conventional commit. `generateContent` makes release notes of it. It reads the 500 newest commits, and ' +
        'keeps 200 changes; what is left out is marked in the text.',
      tags: ['content'],
      body: CreateReleaseBrief,
      response: { 201: Brief }
    }
  }, async ({ principal, body }, reply) => {
    const brief = await createReleaseBrief(app, principal, body)
    reply.code(201).header('etag', etag(brief.revision)).header('location', `/content/briefs/${brief.id}`)
    return brief
  })
}

export default releases
