import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findAppResource } from '../../db/deployments/apps.js'
import { guardNamed } from '../../lib/access/guard-named.js'
import { NotFound } from '../../schemas/errors.js'
import apps from './apps.js'
import builds from './builds.js'
import { defineJobs } from './jobs.js'
import { makeBuildRunner, type BuildRunner } from './lib/builds/build-runner.js'

declare module 'fastify' {
  interface FastifyInstance { builds: BuildRunner }
}

/** Applications, their builds, and the logs of builds. */
const deployments: FastifyPluginAsyncTypebox = async (app) => {
  const runner = makeBuildRunner(app)
  app.decorate('builds', runner)
  app.protect(app, 'deployments', 'workspace', 'anywhere')
  guardNamed(app, { app_id: { find: findAppResource, missing: NotFound } })
  defineJobs(app, runner)
  app.addHook('onReady', async () => { if (app.config.WORKER !== 'false') runner.start() })
  app.onDrain(() => runner.stop())
  await app.register(apps)
  await app.register(builds)
}

export default deployments
