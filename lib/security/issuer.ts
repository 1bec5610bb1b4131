import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Resource } from '../../schemas/account/assistants.js'

/**
 * @returns what this Steward is called as an authorization server, at the address that the request reached: a client
 *   compares it to the letter with where it asked
 */
export const issuerOf = async ({ workspaces }: Pick<FastifyInstance, 'workspaces'>, request: FastifyRequest):
Promise<string> => {
  await workspaces.of(request)
  return workspaces.browserOrigin(request)
}

/** @returns the address that a token is made for */
export const uriOf = (issuer: string, resource: Resource): string => resource === 'mcp' ? `${issuer}/mcp` : issuer

/** @returns which of ours the address is, with or without a slash at its end; undefined = none */
export const resourceOf = (issuer: string, uri: string): Resource | undefined => {
  const bare = uri.replace(/\/$/, '')
  if (bare === uriOf(issuer, 'mcp')) return 'mcp'
  return bare === issuer ? 'api' : undefined
}

/** Where RFC 9728 has a client look for what a resource requires. */
export const metadataPaths: Record<Resource, string> = {
  mcp: '/.well-known/oauth-protected-resource/mcp', api: '/.well-known/oauth-protected-resource'
}
