import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import apps from './apps.js'
import builds from './builds.js'
import { defineJobs } from './jobs.js'
import { makeBuildRunner, type BuildRunner } from './lib/build-runner.js'

declare module 'fastify' {
  interface FastifyInstance { builds: BuildRunner }
}

/** Applications, their builds, and the logs of builds. */
const deployments: FastifyPluginAsyncTypebox = async (app) => {
  const runner = makeBuildRunner(app)
  app.decorate('builds', runner)
  app.protect(app, 'deployments')
  defineJobs(app, runner)
  app.addHook('onReady', async () => { if (app.config.WORKER !== 'false') runner.start() })
  app.onDrain(() => runner.stop())
  await app.register(apps)
  await app.register(builds)
}

export default deployments
