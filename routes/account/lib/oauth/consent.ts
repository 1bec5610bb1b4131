import type Provider from 'oidc-provider'
import type { Client, Interaction } from 'oidc-provider'
import { v7 as uuid } from 'uuid'
import { insertAssistant } from '../../../../db/account/assistants.js'
import { touchClient } from '../../../../db/account/oauth-clients.js'
import { findWorkspace } from '../../../../db/account/workspace.js'
import { insertAudit } from '../../../../db/audit.js'
import { highestRole } from '../../../../lib/access/require-access.js'
import { hasRole, type Principal } from '../../../../lib/security/principal.js'
import { issueToken } from '../../../../lib/security/tokens.js'
import { resourceOf } from '../../../../lib/security/issuer.js'
import { grantable, type AuthorizationRequest, type Resource } from '../../../../schemas/account/assistants.js'
import { approvals, type Scope } from '../../../../schemas/account/scopes.js'
import { NotFound } from '../../../../schemas/errors.js'
import { ScopeNotAsked } from '../errors.js'
import { lives, type OauthDeps, located } from './deps.js'

/** A request under way, of this browser. */
export interface Asked { provider: Provider, interaction: Interaction }

const nameOf = (client: Client): string => {
  // Neither control nor direction characters: a name must not look like what stands around it.
  const name = (client.clientName ?? '').normalize('NFC').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim().slice(0, 80)
  return name === '' ? client.clientId.slice(0, 80) : name
}

/** Only a document at its own address proves whose the client is. */
const hostOfClient = ({ clientId }: Client): string | null =>
  /^https:\/\//i.test(clientId) && URL.canParse(clientId) ? new URL(clientId).host : null

const redirectOf = (uri: unknown): AuthorizationRequest['redirect'] => {
  if (typeof uri !== 'string' || !URL.canParse(uri)) return { kind: 'device', host: null }
  const { protocol, hostname, host } = new URL(uri)
  if (!/^https?:$/.test(protocol)) return { kind: 'app', host: protocol.slice(0, -1) }
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  return { kind: isLocal ? 'computer' : 'web', host }
}

const resourceIn = ({ provider, interaction: { params } }: Asked): { uri: string, resource: Resource } => {
  const uri = [params.resource].flat()[0]
  const resource = typeof uri === 'string' ? resourceOf(provider.issuer, uri) : undefined
  if (typeof uri !== 'string' || resource === undefined) throw NotFound()
  return { uri, resource }
}

const scopesIn = ({ interaction: { params } }: Asked): Scope[] => {
  const asked = String(params.scope ?? '').split(' ')
  return grantable.filter((scope) => asked.includes(scope))
}

/** @returns whether it asks to approve in the person's name, and the person may approve anything */
const mayApprove = (by: Principal, { interaction: { params } }: Asked): boolean =>
  String(params.scope ?? '').split(' ').includes(approvals) && hasRole({ role: highestRole(by) }, 'operator')

const clientIn = async ({ provider, interaction: { params } }: Asked): Promise<Client> => {
  const client = await provider.Client.find(String(params.client_id))
  if (!client) throw NotFound()
  return client
}

const userCodeIn = async ({ provider, interaction: { deviceCode } }: Asked): Promise<string | null> => {
  const found = deviceCode === undefined ? undefined : await provider.DeviceCode.find(deviceCode)
  return found?.userCode?.replace(/^(.{4})(.{4})$/, '$1-$2') ?? null
}

/** @returns what the person is asked, in the words of the client and what is known of it. @throws not_found */
export const describeRequest = async ({ db }: OauthDeps, by: Principal, asked: Asked):
Promise<AuthorizationRequest> => {
  const { interaction } = asked
  const client = await clientIn(asked)
  const { name: workspace } = await findWorkspace(db, by.workspace_id)
  return {
    id: interaction.uid,
    client: { id: client.clientId, name: nameOf(client), host: hostOfClient(client) },
    redirect: redirectOf(interaction.params.redirect_uri),
    user_code: await userCodeIn(asked),
    resource: resourceIn(asked).resource,
    workspace,
    person: by.name,
    scopes: scopesIn(asked),
    may_approve: mayApprove(by, asked),
    expires_at: new Date(interaction.exp * 1_000)
  }
}

interface From { address: string, requestId: string }

/** To approve is never given but by name. */
const chosen = (by: Principal, asked: Asked, wanted: Scope[] | undefined): Scope[] => {
  const offered = scopesIn(asked)
  const more = wanted?.find((scope) => !(scope === approvals ? mayApprove(by, asked) : offered.includes(scope)))
  if (more !== undefined) throw ScopeNotAsked(undefined, { scope: more })
  return wanted ?? offered
}

/**
 * Lets the program in, as the person asks: from now on it can fetch its tokens.
 * @returns what the library goes on from
 * @throws not_found, scope_not_asked
 */
export const allow = async (deps: OauthDeps, by: Principal, asked: Asked, wanted: Scope[] | undefined, from: From) => {
  const client = await clientIn(asked)
  const { uri, resource } = resourceIn(asked)
  const scopes = chosen(by, asked, wanted)
  const { hash, prefix } = issueToken(deps, 'oat', by.workspace_id)
  const [id, who] = [uuid(), { workspace_id: by.workspace_id, user_id: by.user_id }]
  const redirect = redirectOf(asked.interaction.params.redirect_uri)
  const program = { name: nameOf(client), client_id: client.clientId, client_host: hostOfClient(client) }
  const about = { ...program, resource, scopes }
  await deps.db.transaction().execute(async (trx) => {
    await insertAssistant(trx, { ...who, ...about, id, uri, redirect_host: redirect.host, hash, prefix }, lives.grant)
    await insertAudit(trx, {
      ...who,
      via: by.via,
      via_id: by.via_id,
      operation: 'decideAuthorization',
      target: id,
      outcome: 'succeeded',
      status: 200,
      remote_address: from.address,
      request_id: from.requestId,
      body: { input: { decision: 'allow', ...about, redirect_host: redirect.host } }
    })
  })
  await touchClient(deps.db, deps.home.workspace_id, client.clientId)
  const named = (of: string) => located({ workspaceId: by.workspace_id, id: of })
  return { login: { accountId: named(by.user_id), remember: false }, consent: { grantId: named(id) } }
}

export const refusal = { error: 'access_denied', error_description: 'The person did not let the program in' }
