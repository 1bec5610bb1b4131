import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import endpoint from './endpoint.js'
import metadata from './metadata.js'

/** The assistant's tools for other people's assistants, by the Model Context Protocol. */
const mcp: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(metadata)
  await app.register(endpoint)
}

export default mcp
