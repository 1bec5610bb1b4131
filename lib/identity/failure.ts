import { codeOf, messageOf, fieldsOf, textIn } from '../../schemas/unknown.js'
import { OutboundError } from '../outbound/errors.js'

/** An error with those that caused it. */
const chainOf = (error: unknown): unknown[] => {
  const chain: unknown[] = []
  for (let one = error; Boolean(one) && chain.length < 6; one = fieldsOf(one).cause) chain.push(one)
  return chain
}

/** An issuer of many companies says nothing of which one a person is of. */
export class SharedIssuer extends Error {
  override readonly message = 'The issuer there is shared by many companies: enter that of your own'
}

const outboundIn = (chain: unknown[]): OutboundError | undefined =>
  chain.find((one): one is OutboundError => one instanceof OutboundError)

/** @returns the provider's own code of a refusal, such as invalid_grant */
export const refusalIn = (error: unknown): string | undefined => {
  const name = textIn(error, 'name')
  return name === 'ResponseBodyError' || name === 'AuthorizationResponseError' ? textIn(error, 'error') : undefined
}

/** @returns the status of an answer that no library could use */
export const statusIn = (error: unknown): number | undefined => {
  const { status } = fieldsOf(error)
  if (typeof status === 'number') return status
  const response = chainOf(error).find((one) => one instanceof Response)
  return response instanceof Response ? response.status : undefined
}

const refusals: Record<string, string> = {
  invalid_client: 'The provider does not know the client, or refuses its secret',
  unauthorized_client: 'The provider does not let this client sign people in',
  invalid_grant: 'The provider refused the code: it was used, is too old, or was issued for another address',
  invalid_scope: 'The provider does not know one of the scopes',
  access_denied: 'The provider, or the person, refused',
  login_required: 'The person has to sign in at the provider',
  temporarily_unavailable: 'The provider says that it is not available now',
  server_error: 'The provider failed'
}

const codes: Record<string, string> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED:
    'The token of the provider has expired or is not valid yet: the clock there or here is off',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'The token is not for this client, or not of this provider or sign-in',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'The answer is of another issuer',
  OAUTH_RESPONSE_IS_NOT_JSON: 'What answers there is no OpenID provider: the answer is not JSON',
  OAUTH_PARSE_ERROR: 'What the provider answered cannot be read',
  OAUTH_INVALID_RESPONSE: 'What the provider answered is not valid',
  OAUTH_KEY_SELECTION_FAILED: 'No key of the provider fits the token\'s signature',
  OAUTH_UNSUPPORTED_OPERATION: 'The provider signs or answers in a way that is not accepted here',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'Only https is asked; http needs a host that OUTBOUND_ALLOW names',
  OAUTH_MISSING_SERVER_METADATA: 'The discovery document leaves out an address that is needed',
  OAUTH_TIMEOUT: 'The provider took too long'
}

/** @returns the issuer that a document names, where it is another than was asked for */
const otherIssuer = (chain: unknown[]): string | undefined => {
  for (const one of chain) {
    const { attribute, body } = fieldsOf(one)
    if (attribute === 'issuer') return textIn(body, 'issuer')?.slice(0, 300)
  }
  return undefined
}

/** @returns whether the document leaves open of which company its issuer is */
export const namesNoCompany = (error: unknown): boolean => otherIssuer(chainOf(error))?.includes('{') ?? false

const explainCode = (error: unknown, chain: unknown[]): string | undefined => {
  const code = chain.map(codeOf).find((one) => one !== undefined && one in codes)
  const issuer = code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' ? otherIssuer(chain) : undefined
  if (issuer !== undefined) return `The document there is of the issuer ${issuer}: enter that one`
  const status = statusIn(error)
  if (code === undefined && status !== undefined) return `The provider answered with ${status}`
  return code && codes[code]
}

/** @returns why it failed, for people; nothing of our network, and nothing that the provider wrote but an issuer */
export const explainFailure = (error: unknown): string => {
  const chain = chainOf(error)
  const outbound = outboundIn(chain)
  if (outbound) return outbound.message
  if (error instanceof SharedIssuer) return error.message
  const refusal = refusalIn(error)
  if (refusal !== undefined) return refusals[refusal] ?? 'The provider refused'
  return explainCode(error, chain) ?? 'The provider\'s answer could not be used'
}

/** @returns the same for the operator's log */
export const reasonOf = (error: unknown): string =>
  chainOf(error).map((one) => codeOf(one) ?? refusalIn(one) ?? messageOf(one)).join('; ').slice(0, 500)

const later = new Set(['temporarily_unavailable', 'server_error', 'slow_down'])

/** @returns whether the provider said no: what is broken, late or unreadable is not that */
export const isRefused = (error: unknown): boolean => {
  const status = statusIn(error)
  if (status === 429 || status === 408 || (status !== undefined && status >= 500)) return false
  const refusal = refusalIn(error)
  if (refusal !== undefined) return !later.has(refusal)
  return status === 401
}
