import fp from 'fastify-plugin'
import type { FastifyInstance } from 'fastify'
import { findGrant, markRefused, storeTokens, type GrantRow } from '../db/codehost/grants.js'
import { insertIdentity, listIdentities } from '../db/codehost/identities.js'
import type { Db } from '../db/index.js'
import { CodehostNotConnected, CodehostReauthRequired } from '../schemas/codehost/errors.js'
import type { Grant } from '../lib/codehost/client.js'
import { Renewals } from '../lib/codehost/renewals.js'
import { decryptToken, encryptTokens, type IssuedTokens } from '../lib/codehost/encrypted-tokens.js'
import type { Principal } from '../lib/security/principal.js'
import { messageOf } from '../schemas/unknown.js'

type Whose = Pick<Principal, 'workspace_id' | 'user_id'>

/** What the code host lets us do as one person. The token is for one request: it may be another one for the next. */
export interface HeldGrant extends Omit<Grant, 'workspace_id'>, Whose {
  id: string
  /** Counts the tokens of the grant. */
  generation: number
}

/** The people's connections to the code host: which token asks for whom, for as long as it may. */
class CodehostGrants {
  readonly #renewals: Renewals

  /** @param host the web address of the code host; `sandbox` for the sandbox, whose port changes */
  constructor (private readonly app: FastifyInstance, readonly host: string) {
    this.#renewals = new Renewals({
      db: app.db,
      timeoutMs: app.config.limits.codehost_timeout_ms,
      find: (row) => this.find(row),
      refresh: async (row) => app.codehostOauth.client.refresh(decryptToken(app.secrets, row, 'refresh_token')),
      encrypt: (row, issued) => {
        const { access_token, refresh_token } = encryptTokens(app.secrets, row.id, issued)
        // A host that does not rotate its refresh tokens sends none.
        return {
          access_token,
          refresh_token: refresh_token ?? row.refresh_token,
          scope: issued.scope ?? row.scope,
          expires_in: issued.expires_in
        }
      },
      abandon: (issued) => app.codehost.revoke(issued.access_token, false),
      warn: ({ user_id }, reason) => app.log.warn({ user_id, reason }, 'token of the code host not refreshed')
    })
  }

  /**
   * @returns the grant of the person who asks, whichever way they came, refreshed where it is time
   * @throws codehost_not_connected with `authorize_url`, codehost_reauth_required with the same; codehost_timeout,
   * codehost_error and others when the token has expired and the code host does not renew it
   */
  async of (whose: Whose): Promise<HeldGrant> {
    const row = await this.find(whose)
    if (row?.state === 'active' && row.dead && !row.refresh_token) {
      await markRefused(this.app.db, row.workspace_id, row.id, row.generation)
      throw CodehostReauthRequired(undefined, this.#members(whose.workspace_id))
    }
    const renews = row?.state === 'active' && row.due && row.refresh_token !== null
    return this.#toGrant(whose, renews ? await this.#renewals.renew(row, false) : row)
  }

  /**
   * The code host refused the grant's token.
   * @param again another one was tried already, and refused too
   * @returns a grant to try with
   * @throws codehost_reauth_required, codehost_not_connected when there is none, and the person has to connect again
   */
  async refused (grant: HeldGrant, again: boolean): Promise<HeldGrant> {
    const row = await this.find(grant)
    if (row?.state !== 'active') return this.#toGrant(grant, row)
    if (row.generation === grant.generation && row.refresh_token && !again) {
      return this.#toGrant(grant, await this.#renewals.renew(row, true))
    }
    if (row.generation !== grant.generation && !again) return this.#toGrant(grant, row)
    await markRefused(this.app.db, row.workspace_id, row.id, grant.generation)
    throw CodehostReauthRequired(undefined, this.#members(grant.workspace_id))
  }

  /** @returns the stored row of whoever asks, whatever its state */
  find ({ workspace_id, user_id }: Whose): Promise<GrantRow | undefined> {
    return findGrant(this.app.db, workspace_id, this.host, user_id)
  }

  /** Stores the tokens of a person who has just proved that the account is theirs, over whatever there was. */
  async keep (trx: Db, workspaceId: string, id: string, issued: IssuedTokens): Promise<void> {
    const { expires_in, scope } = issued
    await storeTokens(trx, workspaceId, id, {
      ...encryptTokens(this.app.secrets, id, issued),
      expires_in,
      scope: scope ?? this.app.codehostOauth.scopesOf(workspaceId).join(' ')
    })
  }

  #members (workspaceId: string) {
    return { authorize_url: `${this.app.workspaces.originOf(workspaceId)}/codehost-oauth/authorize?mode=link` }
  }

  #toGrant ({ workspace_id: of }: Whose, row: GrantRow | undefined): HeldGrant {
    if (!row || row.state === 'disconnected') throw CodehostNotConnected(undefined, this.#members(of))
    if (row.state === 'needs_reauth' || !row.access_token) throw CodehostReauthRequired(undefined, this.#members(of))
    const { workspace_id, user_id, id, account_id, login, generation } = row
    return { workspace_id, user_id, id, account_id, login, generation, token: this.#decrypt(row) }
  }

  #decrypt (row: GrantRow): string {
    try {
      return decryptToken(this.app.secrets, row, 'access_token')
    } catch (error) {
      this.app.log.error({ user_id: row.user_id, reason: messageOf(error) }, 'stored token cannot be read')
      throw CodehostReauthRequired(undefined, this.#members(row.workspace_id))
    }
  }
}

/**
 * In the sandbox the first admin, and with them ADMIN_TOKEN, is linked from the start. The sandbox forgets the tokens
 * that it issued when it ends: who was connected gets the one that is always valid.
 */
export const linkSandbox = async (
  { db, home, sandbox, codehostGrants: grants }: Pick<FastifyInstance, 'db' | 'home' | 'sandbox' | 'codehostGrants'>
): Promise<void> => {
  const world = sandbox.worlds.codehost
  if (world === undefined) return
  const { workspace_id, admin_id: user_id } = home
  const account = { host: grants.host, account_id: world.account.id, login: world.account.login }
  const made = await insertIdentity(db, { workspace_id, user_id, joined_by: 'link', ...account })
  for (const { id, login, state } of await listIdentities(db, workspace_id, grants.host)) {
    if (state === 'disconnected' && id !== made) continue
    await grants.keep(db, workspace_id, id,
      { access_token: world.tokenOf(login), refresh_token: null, scope: '', expires_in: null })
  }
}

declare module 'fastify' {
  interface FastifyInstance { codehostGrants: CodehostGrants }
}

export default fp(async (app) => {
  const { codehost } = app
  const sandboxed = codehost.configured && codehost.addresses.sandboxed
  const host = codehost.configured && !sandboxed ? codehost.addresses.web : 'sandbox'
  app.decorate('codehostGrants', new CodehostGrants(app, host))
  if (sandboxed) await linkSandbox(app)
}, {
  name: 'codehost-grants',
  dependencies: ['config', 'db', 'auth', 'workspaces', 'secrets', 'codehost', 'codehost-oauth']
})
