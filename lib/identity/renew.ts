import { reasonOf, isRefused } from './failure.js'
import { readGroups } from './claims.js'
import { requireIssued, type Peer } from './peer.js'
import type { Tokens } from './proof.js'

export type Renewal =
  /** `groups`: where the provider says which; undefined where it does not. */
  { outcome: 'confirmed', tokens: Tokens, groups: string[] | undefined } |
  { outcome: 'refused', reason: string } |
  { outcome: 'unavailable', reason: string }

/** The provider vouches for another person. */
class OtherSubject extends Error {}

const refresh = async ({ oidc, config }: Peer, refreshToken: string, tokens: Tokens, subject: string) => {
  const answer = await oidc.refreshTokenGrant(config, refreshToken)
  const signed = answer.claims()
  if (signed && signed.sub !== subject) throw new OtherSubject('The provider renewed the tokens of another person')
  if (signed) requireIssued(signed)
  const next: Tokens = {
    access: answer.access_token, refresh: answer.refresh_token ?? refreshToken, id: answer.id_token ?? tokens.id
  }
  return { next, signed }
}

/** What the tokens are after the refresh must not be lost, whatever the user info comes to. */
const readMore = async ({ oidc, config }: Peer, access: string, subject: string) => {
  if (config.serverMetadata().userinfo_endpoint === undefined) return undefined
  return oidc.fetchUserInfo(config, access, subject)
}

const ask = async (peer: Peer, tokens: Tokens, subject: string, groupsClaim: string | null): Promise<Renewal> => {
  if (tokens.refresh === null) {
    const claims = await readMore(peer, tokens.access, subject)
    if (claims === undefined) return { outcome: 'refused', reason: 'There is nothing to ask the provider with' }
    return { outcome: 'confirmed', tokens, groups: readGroups(claims, groupsClaim) }
  }
  const { next, signed } = await refresh(peer, tokens.refresh, tokens, subject)
  const claims = await readMore(peer, next.access, subject).catch((error: unknown) => {
    if (isRefused(error)) throw error
    return undefined
  })
  return { outcome: 'confirmed', tokens: next, groups: readGroups({ ...claims, ...signed }, groupsClaim) }
}

/** Asks the provider whether the person may still come in: by the refresh token, else by the user info. */
export const renew = async (peer: () => Promise<Peer>, tokens: Tokens, subject: string, groupsClaim: string | null):
Promise<Renewal> => {
  try {
    return await ask(await peer(), tokens, subject, groupsClaim)
  } catch (error) {
    const refused = error instanceof OtherSubject || isRefused(error)
    return { outcome: refused ? 'refused' : 'unavailable', reason: reasonOf(error) }
  }
}
