import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import brands from './brands.js'
import briefs from './briefs.js'

/** Brands, briefs, content records, and what is published of them. */
const content: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'content')
  await app.register(brands)
  await app.register(briefs)
}

export default content
