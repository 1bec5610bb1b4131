import type { Outbound } from '../../plugins/outbound.js'
import type { IdentityCheck } from '../../schemas/account/identity-providers.js'
import { fieldsOf, isObject } from '../../schemas/unknown.js'
import { explainFailure, refusalIn, statusIn } from './failure.js'
import { algorithms, clockToleranceS, type Peer } from './peer.js'

type Metadata = ReturnType<Peer['config']['serverMetadata']>

type Say = (check: IdentityCheck['check'], detail: string) => IdentityCheck

const passed: Say = (check, detail) => ({ check, outcome: 'passed', detail })
const warning: Say = (check, detail) => ({ check, outcome: 'warning', detail })
const failed: Say = (check, detail) => ({ check, outcome: 'failed', detail })

export interface Inspected {
  scopes: readonly string[]
  groupsClaim: string | null
  callback: string
}

const inspectCode = ({ authorization_endpoint: there, token_endpoint: tokens, response_types_supported: types }:
Metadata): IdentityCheck => {
  if (!there || !tokens) return failed('code', 'The document names no authorization or token endpoint')
  if (types && !types.includes('code')) return failed('code', 'It does not offer the code flow (response type code)')
  return passed('code', 'It offers the code flow')
}

const inspectPkce = ({ code_challenge_methods_supported: methods }: Metadata): IdentityCheck =>
  methods?.includes('S256')
    ? passed('pkce', 'It takes PKCE with S256')
    : warning('pkce', 'It does not say that it takes PKCE with S256. It is sent all the same; if the provider ' +
      'ignores it, the nonce and the client\'s secret protect the code alone')

const usable = new Set(['RSA', 'EC', 'OKP'])

const inspectKeys = async ({ config, ask }: Peer): Promise<IdentityCheck> => {
  const { jwks_uri: uri } = config.serverMetadata()
  if (uri === undefined) return failed('keys', 'The document names no keys (jwks_uri)')
  try {
    const answer = await ask(uri)
    const { keys } = fieldsOf(await answer.json())
    const found = [keys].flat().filter((key) => isObject(key) && usable.has(String(key.kty)) && key.use !== 'enc')
    return found.length > 0
      ? passed('keys', `It has ${found.length} keys that sign`)
      : failed('keys', `It has no key that signs as is accepted: ${algorithms.slice(0, 4).join(', ')} and longer`)
  } catch (error) {
    return failed('keys', `Its keys cannot be read. ${explainFailure(error)}`)
  }
}

const inspectAlgorithms = ({ id_token_signing_alg_values_supported: offered }: Metadata): IdentityCheck[] =>
  offered?.length === 0
    ? [failed('keys', 'It signs ID tokens with a shared secret or not at all: that is not believed')]
    : []

/** A request with a code that never was: the provider checks the client before it looks at the code. */
const inspectClient = async ({ oidc, config }: Peer, callback: string): Promise<IdentityCheck> => {
  try {
    await oidc.authorizationCodeGrant(config, new URL(`${callback}?code=steward-test&iss=${
      encodeURIComponent(config.serverMetadata().issuer)}`),
    { pkceCodeVerifier: oidc.randomPKCECodeVerifier(), idTokenExpected: true })
    return failed('client', 'It takes a code that it never issued')
  } catch (error) {
    if (refusalIn(error) === 'invalid_grant') return passed('client', 'It knows the client')
    const refused = refusalIn(error) === 'invalid_client' || statusIn(error) === 401
    if (refused) return failed('client', 'It does not know the client id, or refuses its secret')
    return warning('client', `Whether it knows the client is not clear. ${explainFailure(error)}`)
  }
}

const inspectScopes = ({ scopes_supported: known }: Metadata, { scopes }: Inspected): IdentityCheck => {
  const unknown = known ? scopes.filter((one) => !known.includes(one)) : []
  return unknown.length > 0
    ? warning('scopes', `It does not list ${unknown.join(', ')} among its scopes`)
    : passed('scopes', `${['openid', ...scopes].join(' ')} are asked for`)
}

const inspectGroups = ({ claims_supported: known }: Metadata, { groupsClaim }: Inspected): IdentityCheck[] => {
  if (groupsClaim === null) return []
  const [first = ''] = groupsClaim.split('.')
  const listed = !known || known.includes(groupsClaim) || known.includes(first)
  return [listed
    ? passed('groups', `Rules look at the claim ${groupsClaim}`)
    : warning('groups', `It does not list the claim ${groupsClaim}: without it no rule fits`)]
}

const inspectSessions = ({ scopes_supported: known, userinfo_endpoint: info }: Metadata, { scopes }: Inspected):
IdentityCheck => {
  if (scopes.includes('offline_access')) return passed('sessions', 'Sessions are checked by refresh tokens')
  if (known?.includes('offline_access')) {
    return warning('sessions', 'It offers offline_access, which is not among the scopes: without refresh tokens a ' +
      'session ends when its access token does')
  }
  return info === undefined
    ? warning('sessions', 'It has no user info: unless it gives refresh tokens, sessions end at their first check')
    : passed('sessions', 'Sessions are checked by the user info, or by refresh tokens where it gives them')
}

const inspectLogout = (metadata: Metadata): IdentityCheck => {
  const back = metadata.backchannel_logout_supported === true
  const forth = metadata.end_session_endpoint !== undefined
  const [first, second] = [back, forth].map((offered) => offered ? 'offered' : 'not offered')
  const detail = `Back-channel logout: ${first}; sign-out there: ${second}`
  return back ? passed('logout', detail) : warning('logout', detail)
}

/** Whether the provider's clock and ours agree, by the date of an answer. */
const inspectClock = async (outbound: Outbound, issuer: string): Promise<IdentityCheck[]> => {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const { headers } = await outbound.fetch({ url, maxRedirects: 0 })
  const offS = headers.date === undefined ? NaN : (Date.now() - Date.parse(headers.date)) / 1_000
  if (Number.isNaN(offS)) return []
  const off = Math.round(Math.abs(offS))
  // The date has whole seconds, and the answer took some time.
  if (off <= clockToleranceS) return [passed('clock', 'Its clock and ours agree')]
  return [failed('clock', `Its clock is ${off} seconds ${offS > 0 ? 'behind' : 'ahead of'} ours: tokens seem expired ` +
    'or not valid yet. Set the clock that is wrong')]
}

/** Reads a provider's document and keys, and shows the client to it. @throws nothing: what fails is a check */
export const inspect = async (outbound: Outbound, discover: () => Promise<Peer>, issuer: string, input: Inspected):
Promise<IdentityCheck[]> => {
  let peer
  try {
    peer = await discover()
  } catch (error) {
    const detail = explainFailure(error)
    return [failed(detail.includes('issuer') ? 'issuer' : 'discovery', detail)]
  }
  const metadata = peer.config.serverMetadata()
  return [
    passed('discovery', 'Its document can be read'),
    passed('issuer', `It is ${metadata.issuer}`),
    inspectCode(metadata),
    inspectPkce(metadata),
    ...inspectAlgorithms(metadata),
    await inspectKeys(peer),
    ...await inspectClock(outbound, issuer).catch(() => []),
    await inspectClient(peer, input.callback),
    inspectScopes(metadata, input),
    ...inspectGroups(metadata, input),
    inspectSessions(metadata, input),
    inspectLogout(metadata)
  ]
}
