import type { ProviderRow } from '../../../../db/account/identity-providers.js'
import { inspect } from '../../../../lib/identity/inspect.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { IdentityTest } from '../../../../schemas/account/identity-providers.js'
import { settingsOf, type IdentityDeps } from './identity-deps.js'
import { callbackOf } from './identity-providers.js'
import { requireUnscoped } from '../require-unscoped.js'

/** Says in plain words what is wrong with a provider. @throws insufficient_scope */
export const testProvider = async (deps: IdentityDeps, by: Principal, provider: ProviderRow, origin: string):
Promise<IdentityTest> => {
  requireUnscoped(by, 'A test shows the client\'s secret to the provider')
  const { issuer, scopes, groups_claim: groupsClaim, id } = provider
  // Anew: what was wrong may have been mended a moment ago.
  const discover = async () => deps.peers.again(settingsOf(deps, provider))
  const callback = callbackOf(origin, id)
  const checks = await inspect(deps.outbound, discover, issuer, { scopes, groupsClaim, callback })
  return { passed: checks.every(({ outcome }) => outcome !== 'failed'), checks }
}
