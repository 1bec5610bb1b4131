import fp from 'fastify-plugin'
import type { FastifyInstance } from 'fastify'
import { findGrant, insertIdentity, storeTokens } from '../db/codehost/grants.js'
import { CodehostNotConnected, CodehostReauthRequired } from '../schemas/codehost/errors.js'
import type { Principal } from './principal.js'
import { publicOrigin } from './public-origin.js'

/** What the code host lets us do as one person. The token is for one request: it may be another one for the next. */
export interface Grant {
  workspace_id: string
  user_id: string
  account_id: string
  login: string
  token: string
  /** Counts the tokens of the grant. */
  generation: number
}

const placeOf = (id: string, column: string) => `codehost_identity|${id}|${column}`

class CodehostGrants {
  constructor (private readonly app: FastifyInstance, readonly host: string) {}

  /**
   * @returns the grant of the person who asks, whichever way they came
   * @throws codehost_not_connected with `authorize_url`, codehost_reauth_required with the same
   */
  async of (principal: Pick<Principal, 'workspace_id' | 'user_id'>): Promise<Grant> {
    const row = await findGrant(this.app.db, principal.workspace_id, this.host, principal.user_id)
    const members = { authorize_url: `${publicOrigin(this.app)}/codehost-oauth/authorize?mode=link` }
    if (!row || row.state === 'disconnected') throw CodehostNotConnected(undefined, members)
    if (row.state === 'needs_reauth' || !row.access_token) throw CodehostReauthRequired(undefined, members)
    const token = this.app.secrets.open(placeOf(row.id, 'access_token'), row.access_token)
    const { workspace_id, user_id, account_id, login, generation } = row
    return { workspace_id, user_id, account_id, login, token, generation }
  }

  /** In the sandbox the first admin, and with them ADMIN_TOKEN, is linked from the start. */
  async linkSandbox (account: { account_id: string, login: string, token: string }): Promise<void> {
    const { workspace_id, admin_id: user_id } = this.app.home
    const { account_id, login } = account
    const id = await insertIdentity(this.app.db,
      { workspace_id, user_id, host: this.host, account_id, login, joined_by: 'link' })
    if (id === undefined) return
    const access_token = this.app.secrets.seal(placeOf(id, 'access_token'), account.token)
    await storeTokens(this.app.db, workspace_id, id, { access_token, refresh_token: null, scope: '', expires_in: null })
  }
}

declare module 'fastify' {
  interface FastifyInstance { codehostGrants: CodehostGrants }
}

export default fp(async (app) => {
  const { CODEHOST_URL, CODEHOST_CLIENT_ID, SANDBOX } = app.config
  const sandboxed = SANDBOX === 'auto' && !CODEHOST_URL && !CODEHOST_CLIENT_ID
  const grants = new CodehostGrants(app, sandboxed ? 'sandbox' : CODEHOST_URL ?? 'https://github.com')
  app.decorate('codehostGrants', grants)
  if (sandboxed) await grants.linkSandbox({ account_id: '5001', login: 'octavia', token: 'gho_sandbox_octavia' })
}, { name: 'codehost-grants', dependencies: ['config', 'db', 'auth', 'secrets'] })
