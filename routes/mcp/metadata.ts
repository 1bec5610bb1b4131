import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { allScopes } from '../../schemas/account/scopes.js'

/** Where RFC 9728 has a client look for what the endpoint requires. */
export const metadataPath = '/.well-known/oauth-protected-resource/mcp'

const metadata: FastifyPluginAsyncTypebox = async (app) => {
  // No authorization server is named: tokens are made by their owner in Steward, not by a client.
  app.get(metadataPath, { config: { public: 'says how to get credentials' }, schema: { hide: true } }, async () => ({
    resource: `${app.config.publicUrl}/mcp`,
    resource_name: 'Steward',
    bearer_methods_supported: ['header'],
    scopes_supported: allScopes,
    resource_documentation: `${app.config.publicUrl}/docs`
  }))
}

export default metadata
