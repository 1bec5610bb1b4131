import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import apps from './apps.js'
import buildLogs from './build-logs.js'
import builds from './builds.js'
import { defineJobs } from './jobs.js'
import { BuildEngine } from './lib/engine.js'

declare module 'fastify' {
  interface FastifyInstance { builds: BuildEngine }
}

/** Applications, their builds, and what the builds tell. */
const deployments: FastifyPluginAsyncTypebox = async (app) => {
  const engine = new BuildEngine(app)
  app.decorate('builds', engine)
  app.protect(app, 'deployments')
  defineJobs(app, engine)
  app.addHook('onReady', async () => { if (app.config.WORKER !== 'false') engine.start() })
  app.addHook('preClose', () => engine.stop())
  await app.register(apps)
  await app.register(builds)
  await app.register(buildLogs)
}

export default deployments
