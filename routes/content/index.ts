import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import brands from './brands.js'
import briefs from './briefs.js'
import contents from './contents.js'
import feeds from './feeds.js'
import generate from './generate.js'
import generations from './generations.js'
import { defineJobs } from './jobs.js'
import { makeGenerationWorker, type GenerationWorker } from './lib/generate/worker.js'
import moves from './moves.js'
import publishing from './publishing.js'
import suggestions from './suggestions.js'
import versions from './versions.js'

declare module 'fastify' {
  interface FastifyInstance { contentGenerations: GenerationWorker }
}

const resources = [brands, briefs, generate, generations, contents, moves, versions, suggestions, publishing]

const guarded: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'content')
  for (const resource of resources) await app.register(resource)
}

/** Brands, briefs, content records, how they are generated, and what is published of them. */
const content: FastifyPluginAsyncTypebox = async (app) => {
  const worker = makeGenerationWorker(app)
  app.decorate('contentGenerations', worker)
  app.addHook('onReady', async () => { if (app.config.WORKER !== 'false') worker.start() })
  app.addHook('preClose', () => worker.stop())
  defineJobs(app, worker)
  await app.register(guarded)
  await app.register(feeds)
}

export default content
