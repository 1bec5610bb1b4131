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

/** Specs: sessions, their inputs, and the versions that generations make. */
const pse: FastifyPluginAsyncTypebox = async (app) => {
  const runner = makeGenerationRunner(app)
  app.decorate('generations', runner)
  app.protect(app, 'pse')
  defineJobs(app, runner)
  app.addHook('onReady', async () => { if (app.config.WORKER !== 'false') runner.start() })
  app.onDrain(() => runner.stop())
  await app.register(sessions)
  await app.register(inputs)
  await app.register(generations)
  await app.register(versions)
  await app.register(pullRequest)
  await app.register(standards)
}

export default pse
