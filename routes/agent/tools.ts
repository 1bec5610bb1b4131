import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { FindTools, FoundTools } from '../../schemas/agent/tool-calls.js'

const maxFound = 8
/** Of other people's servers, beside those. */
const maxForeign = 4

const tools: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/tools', {
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: false,
        use: 'Use this when none of your tools does what is asked: there are many more, for all that the platform ' +
          'can do. Search again in other words when nothing fits.',
        gives: 'up to 8 tools that fit, the best first. You have them from then on: call them by name.',
        keywords: 'find tools search capability'
      }
    },
    schema: {
      operationId: 'findTools',
      summary: 'Find tools of the assistant',
      description: 'The operations that the assistant may call as the caller, found by words: up to eight, the best ' +
        'first. The assistant itself uses it, since it does not begin with all of them.',
      tags: ['agent'],
      querystring: FindTools,
      response: { 200: FoundTools }
    }
  }, async ({ principal, query }): Promise<FoundTools> => {
    const foreign = await app.tools.searchOwn(principal, query.query, maxForeign)
    const found = [...app.tools.search(principal, query.query, maxFound), ...foreign]
    return {
      items: found.map(({ name, effect, model: { description } }) => ({ name, effect, description })),
      names: found.map(({ name }) => name)
    }
  })
}

export default tools
