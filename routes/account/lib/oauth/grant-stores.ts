import type { AdapterPayload } from 'oidc-provider'
import { endAssistant, findGrant, findGrantOfToken, replaceAccess } from '../../../../db/account/assistants.js'
import { touchClient } from '../../../../db/account/oauth-clients.js'
import { hashToken, keyOfToken } from '../../../../lib/security/tokens.js'
import { allScopes, type Scope } from '../../../../schemas/account/scopes.js'
import { Refusing, type OauthDeps, locate, located } from './deps.js'

type GrantRow = NonNullable<Awaited<ReturnType<typeof findGrant>>>

const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1_000)

const ownerOf = (workspaceId: string, row: GrantRow) => ({
  accountId: located({ workspaceId, id: row.user_id }), clientId: row.client_id, iat: secondsOf(row.created_at)
})

const end = async ({ db }: OauthDeps, grantId: string): Promise<void> => {
  const grant = locate(grantId)
  if (grant) await endAssistant(db, grant.workspaceId, null, grant.id)
}

/** What a person consented to. It is written where they do; the library reads and ends it. */
export class GrantStore extends Refusing {
  constructor (private readonly deps: OauthDeps) { super('Grant') }

  override async find (id: string): Promise<AdapterPayload | undefined> {
    const grant = locate(id)
    const row = grant && await findGrant(this.deps.db, grant.workspaceId, grant.id)
    if (!grant || !row) return undefined
    const refused = allScopes.filter((scope) => !row.scopes.includes(scope))
    const payload = {
      ...ownerOf(grant.workspaceId, row),
      kind: 'Grant',
      jti: id,
      exp: secondsOf(row.until),
      resources: { [row.uri]: row.scopes.join(' ') },
      // What was asked for and not given is decided, too.
      rejected: { resources: { [row.uri]: refused.join(' ') } }
    }
    // The types know nothing of what a Grant keeps.
    return payload as AdapterPayload
  }

  override destroy (id: string): Promise<void> { return end(this.deps, id) }
}

/** Access tokens: one for each connection, in the table that every request is looked up in. */
export class AccessStore extends Refusing {
  /** @param ended what is thrown when the connection has ended meanwhile */
  constructor (private readonly deps: OauthDeps, private readonly ended: () => Error) { super('AccessToken') }

  override async upsert (id: string, { grantId, clientId, scope }: AdapterPayload, seconds = 0): Promise<void> {
    const { db, home } = this.deps
    const grant = locate(grantId)
    // The scope is made of what was consented to.
    const scopes = (scope === undefined || scope === '' ? [] : scope.split(' ')) as Scope[]
    const access = { hash: hashToken(id), scopes, seconds }
    if (!grant || !await replaceAccess(db, grant.workspaceId, grant.id, access)) throw this.ended()
    if (clientId !== undefined) await touchClient(db, home.workspace_id, clientId)
  }

  override async find (id: string): Promise<AdapterPayload | undefined> {
    const key = keyOfToken(this.deps, 'oat', id)
    const row = key && await findGrantOfToken(this.deps.db, key.workspaceId, key.hash)
    if (!row) return undefined
    return {
      ...ownerOf(key.workspaceId, row),
      kind: 'AccessToken',
      format: 'opaque',
      jti: id,
      grantId: located({ workspaceId: key.workspaceId, id: row.id }),
      scope: row.token_scopes.join(' '),
      ...(row.resource !== null && { aud: row.resource }),
      ...(row.access_until && { exp: secondsOf(row.access_until) })
    }
  }

  /** What it is of ends with it. */
  override async destroy (id: string): Promise<void> {
    const found = await this.find(id)
    if (found?.grantId !== undefined) await end(this.deps, found.grantId)
  }

  override revokeByGrantId (grantId: string): Promise<void> { return end(this.deps, grantId) }
}
