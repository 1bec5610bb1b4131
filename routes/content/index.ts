import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import brands from './brands.js'
import briefs from './briefs.js'
import contents from './contents.js'
import generations from './generate.js'
import moves from './moves.js'
import versions from './versions.js'

/** Brands, briefs, content records, and what is published of them. */
const content: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'content')
  for (const part of [brands, briefs, generations, contents, moves, versions]) await app.register(part)
}

export default content
