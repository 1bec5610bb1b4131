import type { FastifyInstance } from 'fastify'
import type { ProviderRow } from '../../../../db/account/identity-providers.js'
import type { Peer, Peers, PeerSettings } from '../../../../lib/identity/peer.js'

/** What the work with identity providers needs of the application. */
export interface IdentityDeps extends Pick<FastifyInstance, 'db' | 'secrets' | 'log' | 'home' | 'outbound'> {
  peers: Peers
}

export const secretContext = (id: string): string => `account_identity_provider|${id}|secret`

export const tokensContext = (sessionId: string): string => `account_identity_session|${sessionId}|tokens`

export const settingsOf = ({ secrets }: Pick<IdentityDeps, 'secrets'>, provider: ProviderRow): PeerSettings => {
  const { id, revision, issuer, client_id, secret } = provider
  return { id, revision, issuer, client_id, secret: secret && secrets.decrypt(secretContext(id), secret) }
}

/** @throws as `Peers.of` */
export const peerOf = async (deps: IdentityDeps, provider: ProviderRow): Promise<Peer> =>
  deps.peers.of(settingsOf(deps, provider))
