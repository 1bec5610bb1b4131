import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { issuerOf, metadataPaths, uriOf } from '../../lib/security/issuer.js'
import { grantable, resources } from '../../schemas/account/assistants.js'

/** What `/mcp` and the rest of the API require (RFC 9728), and who gives it: this Steward. */
const metadata: FastifyPluginAsyncTypebox = async (app) => {
  for (const resource of resources) {
    app.get(metadataPaths[resource], {
      config: { public: 'says how to get credentials' }, schema: { hide: true }
    }, async (request, reply) => {
      const issuer = await issuerOf(app, request)
      // A page of another origin may read what everybody may.
      reply.header('access-control-allow-origin', '*')
      return {
        resource: uriOf(issuer, resource),
        authorization_servers: [issuer],
        resource_name: 'Steward',
        bearer_methods_supported: ['header'],
        scopes_supported: grantable,
        resource_documentation: `${issuer}/docs`
      }
    })
  }
}

export default metadata
