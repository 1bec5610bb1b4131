import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import brands from './brands.js'
import briefs from './briefs.js'
import contents from './contents.js'
import feeds from './feeds.js'
import generations from './generate.js'
import { defineJobs } from './jobs.js'
import moves from './moves.js'
import publishing from './publishing.js'
import versions from './versions.js'

const resources = [brands, briefs, generations, contents, moves, versions, publishing]

const guarded: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'content')
  for (const resource of resources) await app.register(resource)
}

/** Brands, briefs, content records, and what is published of them. */
const content: FastifyPluginAsyncTypebox = async (app) => {
  defineJobs(app)
  await app.register(guarded)
  await app.register(feeds)
}

export default content
