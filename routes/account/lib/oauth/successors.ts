import { createHmac } from 'node:crypto'
import { issueToken } from '../../../../lib/security/workspace-tokens.js'
import type { FreshToken } from '../../../../lib/security/tokens.js'
import type { OauthDeps } from './deps.js'

/**
 * Seconds. Within them a refresh that is repeated, because its answer was lost or two of a client's processes came at
 * once, gets the tokens of the first again, unless the new refresh token was used already.
 */
export const repeatSeconds = 30

type Deps = Pick<OauthDeps, 'home' | 'secrets'>

/**
 * What a refresh gives follows from the token that it is asked with and from SECRET_KEY: so the same question has the
 * same answer at every instance, nothing of the answer is kept, and two who hold one token stay on one line, on which
 * the second one to come late is seen.
 * @param scope that the access token has: one of other scopes is another token
 */
export const successorOf = ({ home, secrets }: Deps, kind: 'oat' | 'ort', workspaceId: string, refreshToken: string,
  scope = ''): FreshToken => {
  const [key] = secrets.keysFor('oauth-refresh')
  if (key === undefined) throw new Error('No secret key')
  const digest = createHmac('sha256', key).update(JSON.stringify([kind, refreshToken, scope])).digest()
  return issueToken({ home }, kind, workspaceId, digest)
}
