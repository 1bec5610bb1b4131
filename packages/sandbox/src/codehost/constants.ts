/** Not secrets: they give access only to a sandbox on loopback. */
export const SANDBOX_CLIENT_ID = 'sandbox-client'
export const SANDBOX_CLIENT_SECRET = 'sandbox-client-secret'

/** Valid after every start; it does not expire. */
export const sandboxToken = (login: string): string => `gho_sandbox_${login}`

export const SANDBOX_USERS = { octavia: 5001, bruno: 5002, mallory: 5003 } as const
export const SANDBOX_ORG = { login: 'larkspur', id: 6001 } as const
export const SANDBOX_REPOSITORIES = {
  'larkspur/web': 7001, 'larkspur/api': 7002, 'larkspur/infra': 7003, 'mallory/secret': 7004
} as const

/** The base path of the REST API, as on an Enterprise Server. */
export const API_PREFIX = '/api/v3'
