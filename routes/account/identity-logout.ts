import type { FastifyRequest } from 'fastify'
import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { LogoutForm, LogoutParams } from '../../schemas/account/identities.js'
import { NotFound, NotUtf8, UnsupportedMediaType } from '../../schemas/errors.js'
import { byAddress } from '../../lib/http/addresses.js'
import { readText } from '../../lib/http/text.js'
import { LogoutTokenRefused } from './lib/errors.js'
import { endByLogoutToken } from './lib/identity/end-sign-in.js'
import type { IdentityDeps } from './lib/identity/identity-attempt.js'

const maxBytes = 32_768

/** OpenID Connect Back-Channel Logout 1.0: the provider's own server calls it. */
const identityLogout = (deps: IdentityDeps): FastifyPluginAsyncTypebox => async (app) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer', bodyLimit: maxBytes },
    async ({ headers }: FastifyRequest, bytes: Buffer) => {
      const form = new URLSearchParams(readText(headers['content-type'], bytes))
      // Other members are ignored (OpenID Connect Back-Channel Logout 1.0, 2.5).
      return { logout_token: form.get('logout_token') ?? '' }
    })

  app.post('/:workspace_id/:provider_id/logout', {
    config: {
      public: 'takes a signed token of the provider instead',
      rateLimit: {
        max: app.config.limits.sign_ins_per_minute,
        keyGenerator: ({ ip }: FastifyRequest) => byAddress('identity-logout', ip)
      },
      errors: [LogoutTokenRefused, NotFound, NotUtf8, UnsupportedMediaType]
    },
    schema: {
      operationId: 'receiveIdentityLogout',
      summary: 'Take a logout token of an identity provider',
      description: 'Ends the sessions of the provider\'s session or person that the token names, everywhere and at ' +
        'once. A token is taken once.',
      tags: ['account'],
      security: [],
      consumes: ['application/x-www-form-urlencoded'],
      params: LogoutParams,
      body: LogoutForm,
      response: { 204: Type.Null({ description: 'Ended' }) }
    }
  }, async ({ params, body, ip, id }, reply) => {
    const { workspace_id: workspaceId, provider_id: providerId } = params
    await endByLogoutToken(deps, { workspaceId, providerId, token: body.logout_token, address: ip, requestId: id })
    return reply.code(204).header('cache-control', 'no-store').send(null)
  })
}

export default identityLogout
