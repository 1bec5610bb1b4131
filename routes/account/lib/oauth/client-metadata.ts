import type { ClientMetadata, Configuration } from 'oidc-provider'
import type { Library } from './deps.js'

/** RFC 8252 and OAuth 2.1: nothing goes in the clear but to the person's own computer. */
const requireSafeRedirects = (errors: Library['errors'], uris: unknown): void => {
  for (const uri of Array.isArray(uris) ? uris : []) {
    const url = URL.canParse(String(uri)) ? new URL(String(uri)) : undefined
    const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url?.hostname ?? '')
    if (url?.protocol === 'http:' && !isLocal) throw new errors.InvalidClientMetadata('redirect_uris must use https')
  }
}

/**
 * A document may list several ways to prove who its client is, beside the one that it prefers. What the request came
 * with counts, if it is listed. Only of a document: who registered agreed on one way.
 */
const takeProof = ({ Provider }: Library, metadata: ClientMetadata): void => {
  const listed = metadata.token_endpoint_auth_methods_supported
  if (!/^https:/i.test(metadata.client_id) || !Array.isArray(listed)) return
  // Of a document a client is made for each request.
  const way = Provider.ctx?.oidc.params?.client_assertion === undefined ? 'none' : 'private_key_jwt'
  if (!listed.includes(way)) return
  metadata.token_endpoint_auth_method = way
  if (way === 'none') delete metadata.token_endpoint_auth_signing_alg
}

/** Members of a client's metadata that the library does not know, and what is done to all before it checks them. */
export const clientMetadata = (library: Library): NonNullable<Configuration['extraClientMetadata']> => ({
  properties: ['token_endpoint_auth_methods_supported'],
  validator: (_ctx, _key, _value, metadata) => {
    requireSafeRedirects(library.errors, metadata.redirect_uris)
    takeProof(library, metadata)
    // Clients register with scopes of ours, and of others; what they get, a person decides each time.
    delete metadata.scope
  }
})
