/** Where the authorization server has what; its metadata (RFC 8414) says so to clients. */
export const paths = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  device_authorization: '/oauth/device_authorization',
  code_verification: '/oauth/device',
  jwks: '/oauth/jwks'
} as const

export const discovery = '/.well-known/oauth-authorization-server'

/** The browser's way to the consent; the cookie that binds it to this browser goes nowhere else. */
export const consentPath = (requestId: string): string => `/oauth/consents/${requestId}`

/** The page of the web client. */
export const consentPage = (requestId: string): string => `/#/connect/${requestId}`
