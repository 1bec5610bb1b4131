import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import generations from './generations.js'
import inputs from './inputs.js'
import { defineJobs } from './jobs.js'
import { makeGenerationRunner, type GenerationRunner } from './lib/generation-runner.js'
import pullRequest from './pull-request.js'
import sessions from './sessions.js'
import standards from './standards.js'
import versions from './versions.js'

declare module 'fastify' {
  interface FastifyInstance { generations: GenerationRunner }
}

/** Specs: sessions, what goes into them, and the versions that come out. */
const pse: FastifyPluginAsyncTypebox = async (app) => {
  const runner = makeGenerationRunner(app)
  app.decorate('generations', runner)
  app.protect(app, 'pse')
  defineJobs(app, runner)
  app.addHook('onReady', async () => { if (app.config.WORKER !== 'false') runner.start() })
  app.onDrain(() => runner.stop())
  for (const resource of [sessions, inputs, generations, versions, pullRequest, standards]) await app.register(resource)
}

export default pse
