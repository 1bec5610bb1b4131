import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import brands from './brands.js'
import briefs from './briefs.js'
import contents from './contents.js'
import feeds from './feeds.js'
import generations from './generations.js'
import { defineJobs } from './jobs.js'
import { makeGenerationRunner, type GenerationRunner } from './lib/generate/runner.js'
import { warmRules } from './lib/warm-rules.js'
import moves from './moves.js'
import publishing from './publishing.js'
import suggestions from './suggestions.js'
import versions from './versions.js'

declare module 'fastify' {
  interface FastifyInstance { contentGenerations: GenerationRunner }
}

const guarded: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'content')
  await app.register(brands)
  await app.register(briefs)
  await app.register(generations)
  await app.register(contents)
  await app.register(moves)
  await app.register(versions)
  await app.register(suggestions)
  await app.register(publishing)
}

/** After the first requests of a new process, and before a person has written a text. */
const warmAfterMs = 3_000

const warmLater = (app: FastifyInstance): void => {
  let timer: NodeJS.Timeout | undefined
  const warm = () => {
    warmRules().catch((error: unknown) => app.log.error(error, 'the rules of the brand check do not load'))
  }
  app.addHook('onListen', async () => { timer = setTimeout(warm, warmAfterMs).unref() })
  app.addHook('preClose', async () => clearTimeout(timer))
}

/** Brands, briefs, content records, how they are generated, and what is published of them. */
const content: FastifyPluginAsyncTypebox = async (app) => {
  const runner = makeGenerationRunner(app)
  app.decorate('contentGenerations', runner)
  app.addHook('onReady', async () => { if (app.config.WORKER !== 'false') runner.start() })
  app.onDrain(() => runner.stop())
  defineJobs(app, runner)
  warmLater(app)
  await app.register(guarded)
  await app.register(feeds)
}

export default content
