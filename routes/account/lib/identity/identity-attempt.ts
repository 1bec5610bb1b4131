import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { ProviderRow } from '../../../../db/account/identities.js'
import { insertAttempt, takeAttempt } from '../../../../db/account/identity-sessions.js'
import { reasonOf, SharedIssuer } from '../../../../lib/identity/failure.js'
import type { Peer, Peers, PeerSettings } from '../../../../lib/identity/peer.js'
import { authorizationUrl } from '../../../../lib/identity/proof.js'
import { hashOf } from '../../../../lib/security/browser-session.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { textIn } from '../../../../schemas/unknown.js'
import { IdentityStateMismatch, IdentityUnavailable } from '../errors.js'

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

const context = (stateHash: Buffer) => `account_identity_attempt|${stateHash.toString('hex')}|kept`

const random = (): string => randomBytes(32).toString('base64url')

interface Beginning {
  callback: string
  returnTo: string
  /** A secret in this browser's cookie. */
  binding: string
  /** Who connects an account; null = a sign-in. */
  linker: Pick<Principal, 'user_id' | 'via_id'> | null
}

/** @returns the URL to send the browser to, and the state that it returns with. @throws identity_unavailable */
export const beginAttempt = async (deps: IdentityDeps, provider: ProviderRow,
  { callback, returnTo, binding, linker }: Beginning) => {
  const [state, nonce, verifier] = [random(), random(), random()]
  const url = await peerOf(deps, provider)
    .then((peer) => authorizationUrl(peer, { callback, state, nonce, verifier }, provider.scopes))
    .catch((error: unknown) => {
      deps.log.warn({ provider_id: provider.id, reason: reasonOf(error) }, 'an identity provider cannot be asked')
      // Waiting does not help: an admin has to know.
      throw error instanceof SharedIssuer ? IdentityUnavailable(error.message) : IdentityUnavailable()
    })
  const state_hash = hashOf(state)
  await insertAttempt(deps.db, {
    workspace_id: provider.workspace_id,
    provider_id: provider.id,
    state_hash,
    binding_hash: hashOf(binding),
    user_id: linker?.user_id ?? null,
    session_id: linker?.via_id ?? null,
    kept: deps.secrets.encrypt(context(state_hash), JSON.stringify({ nonce, verifier })),
    return_to: returnTo
  })
  return { url, state }
}

export interface Attempt {
  state: string
  nonce: string
  verifier: string
  returnTo: string
  /** For connecting. */
  linker: { user_id: string, session_id: string | null } | null
}

/** Takes an attempt, once. @throws identity_state_mismatch when it is used, too old, of another browser or provider */
export const consumeAttempt = async ({ db, secrets }: IdentityDeps, workspaceId: string, providerId: string,
  state: string, binding: string): Promise<Attempt> => {
  const stateHash = hashOf(state)
  const row = await takeAttempt(db, workspaceId, providerId, stateHash, hashOf(binding))
  if (!row) throw IdentityStateMismatch()
  const kept: unknown = JSON.parse(secrets.decrypt(context(stateHash), row.kept))
  return {
    state,
    nonce: textIn(kept, 'nonce') ?? '',
    verifier: textIn(kept, 'verifier') ?? '',
    returnTo: row.return_to,
    linker: row.user_id === null ? null : { user_id: row.user_id, session_id: row.session_id }
  }
}
