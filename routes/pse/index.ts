import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findSessionResource } from '../../db/pse/sessions.js'
import { guardNamed } from '../../lib/access/guard-named.js'
import { findProjectResource } from '../../lib/access/require-access.js'
import { NotFound } from '../../schemas/errors.js'
import generations from './generations.js'
import inputs from './inputs.js'
import issues from './issues.js'
import { defineJobs } from './jobs.js'
import { makeGenerationRunner, type GenerationRunner } from './lib/generation/generation-runner.js'
import notTaken from './not-taken.js'
import pullRequest from './pull-request.js'
import sessions from './sessions.js'
import standards from './standards.js'
import trace from './trace.js'
import versions from './versions.js'

declare module 'fastify' {
  interface FastifyInstance { generations: GenerationRunner }
}

/** What belongs to a project, or to none. */
const ofProjects: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'pse', 'workspace', 'anywhere')
  guardNamed(app, {
    session_id: { find: findSessionResource, missing: NotFound },
    project_id: { find: findProjectResource, missing: NotFound }
  })
  await app.register(sessions)
  await app.register(inputs)
  await app.register(generations)
  await app.register(versions)
  await app.register(notTaken)
  await app.register(pullRequest)
  await app.register(issues)
  await app.register(trace)
}

/** Standards are the workspace's, whatever projects they are for. */
const ofWorkspace: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'pse')
  await app.register(standards)
}

/** Specs: sessions, their inputs, and the versions that generations make. */
const pse: FastifyPluginAsyncTypebox = async (app) => {
  const runner = makeGenerationRunner(app)
  app.decorate('generations', runner)
  defineJobs(app, runner)
  app.addHook('onReady', async () => { if (app.config.WORKER !== 'false') runner.start() })
  app.onDrain(() => runner.stop())
  await app.register(ofProjects)
  await app.register(ofWorkspace)
}

export default pse
