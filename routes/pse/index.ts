import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import generations from './generations.js'
import inputs from './inputs.js'
import { defineJobs } from './jobs.js'
import { makeGenerationWorker, type GenerationWorker } from './lib/generation-worker.js'
import pullRequest from './pull-request.js'
import sessions from './sessions.js'
import standards from './standards.js'
import versions from './versions.js'

declare module 'fastify' {
  interface FastifyInstance { generations: GenerationWorker }
}

/** Specs: sessions, what goes into them, and the versions that come out. */
const pse: FastifyPluginAsyncTypebox = async (app) => {
  const worker = makeGenerationWorker(app)
  app.decorate('generations', worker)
  app.protect(app, 'pse')
  defineJobs(app, worker)
  app.addHook('onReady', async () => { if (app.config.WORKER !== 'false') worker.start() })
  app.addHook('preClose', () => worker.stop())
  for (const resource of [sessions, inputs, generations, versions, pullRequest, standards]) await app.register(resource)
}

export default pse
