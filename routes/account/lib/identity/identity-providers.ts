import {
  deleteProvider, findProvider, insertProvider, isDuplicateIssuer, listProviders, newProviderId, updateProvider,
  type ProviderRow, type ProviderValues, listKnownGroups
} from '../../../../db/account/identities.js'
import { endIdentitySessions, listIdentitySessions } from '../../../../db/account/identity-sessions.js'
import { lockWorkspace } from '../../../../db/account/workspace.js'
import type { Db } from '../../../../db/index.js'
import { inspect } from '../../../../lib/identity/inspect.js'
import type { Principal } from '../../../../lib/security/principal.js'
import {
  maxProviders, type AddIdentityProvider, type IdentityProvider, type UpdateIdentityProvider, type IdentityTest
} from '../../../../schemas/account/identity-providers.js'
import { InvalidRequest, NotFound } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { IssuerTaken, SubjectUnknown, TooManyProviders, requireUnscoped } from '../errors.js'
import { secretContext, type IdentityDeps, settingsOf } from './identity-attempt.js'

const why = 'Who vouches for people decides who may act without a limit of scopes'

const defaults = {
  scopes: ['profile', 'email'],
  domains: [],
  groups_claim: null,
  rules: [],
  just_in_time: false,
  joins_by_email: false,
  role: 'viewer',
  check_minutes: 10,
  grace_minutes: 60,
  enabled: true
} as const

/** As a URL is written: the provider compares it letter by letter, and `:80` is not in what the library sends. */
export const callbackOf = (origin: string, id: string): string => new URL(`${origin}/identity/${id}/callback`).href

/** @param origin where browsers reach the workspace */
export const showProvider = (provider: ProviderRow, origin: string): IdentityProvider => {
  const { workspace_id: workspaceId, secret, ...shown } = provider
  return {
    ...shown,
    has_secret: secret !== null,
    callback_url: callbackOf(origin, provider.id),
    logout_url: new URL(`${origin}/identity/${workspaceId}/${provider.id}/logout`).href
  }
}

/** @throws not_found */
export const requireProvider = async (db: Db, workspaceId: string, id: string): Promise<ProviderRow> => {
  const provider = await findProvider(db, workspaceId, id)
  if (!provider) throw NotFound()
  return provider
}

const invalid = (pointer: string, code: string, message: string) =>
  InvalidRequest(`${pointer} ${message}`, { errors: [{ pointer, code, message }] })

type Settings = Pick<Partial<ProviderValues>, 'rules' | 'groups_claim' | 'joins_by_email' | 'domains'>

/** @throws invalid_request, subject_unknown */
const requireFit = async (trx: Db, workspaceId: string, settings: Settings): Promise<void> => {
  const { rules = [], groups_claim: claim, joins_by_email: joins, domains = [] } = settings
  if (joins && domains.length === 0) {
    throw invalid('/joins_by_email', 'needs_domains', 'needs domains: those that the provider may speak for')
  }
  if (rules.length > 0 && !claim) {
    throw invalid('/rules', 'needs_claim', 'need groups_claim: the claim that they look at')
  }
  const empty = rules.findIndex(({ role, group_id }) => role === undefined && group_id === undefined)
  if (empty >= 0) throw invalid(`/rules/${empty}`, 'gives_nothing', 'gives neither a role nor a group')
  const named = rules.flatMap(({ group_id: id }) => id ?? [])
  const known = new Set(await listKnownGroups(trx, workspaceId, named))
  const errors = rules.flatMap(({ group_id: id }, at) => id === undefined || known.has(id)
    ? []
    : [{ pointer: `/rules/${at}/group_id`, code: 'subject_unknown', message: 'is no group of this workspace' }])
  if (errors.length > 0) throw SubjectUnknown(undefined, { errors })
}

/** The library reads such an address as a document's, and then believes whatever issuer it names. */
const requireIssuer = (issuer: string): void => {
  if (!URL.canParse(issuer)) throw invalid('/issuer', 'form', 'is no address')
  if (/\.well-known/i.test(decodeURI(new URL(issuer).pathname))) {
    throw invalid('/issuer', 'document', 'is the address of a document: enter what the document calls issuer')
  }
}

const taken = (error: unknown): unknown => {
  if (!isDuplicateIssuer(error)) return error
  const message = 'Another provider has this issuer'
  return IssuerTaken(message, { errors: [{ pointer: '/issuer', code: IssuerTaken.code, message }] })
}

/** @throws insufficient_scope, invalid_request, subject_unknown, issuer_taken, too_many_providers */
export const addProvider = async ({ db, secrets }: Pick<IdentityDeps, 'db' | 'secrets'>, by: Principal,
  { issuer, secret = null, ...body }: AddIdentityProvider): Promise<ProviderRow> => {
  requireUnscoped(by, why)
  requireIssuer(issuer)
  const { workspace_id: workspaceId, user_id: created_by } = by
  const id = newProviderId()
  const values = { ...defaults, scopes: [...defaults.scopes], domains: [], rules: [], ...body }
  const encrypted = secret === null ? null : secrets.encrypt(secretContext(id), secret)
  return db.transaction().execute(async (trx) => {
    await lockWorkspace(trx, workspaceId)
    await requireFit(trx, workspaceId, values)
    const { length } = await listProviders(trx, workspaceId)
    if (length >= maxProviders) throw TooManyProviders(`There may be ${maxProviders}: remove one first`)
    await insertProvider(trx, workspaceId, { ...values, id, issuer, secret: encrypted, created_by })
    return requireProvider(trx, workspaceId, id)
  }).catch((error: unknown) => { throw taken(error) })
}

const endAll = async (trx: Db, workspaceId: string, id: string) =>
  endIdentitySessions(trx, workspaceId, await listIdentitySessions(trx, workspaceId, { provider_id: id }))

/** A provider that is switched off vouches for nobody. @throws as `addProvider`; not_found, stale_revision */
export const changeProvider = ({ db, secrets }: Pick<IdentityDeps, 'db' | 'secrets'>, by: Principal, id: string,
  { secret, ...body }: UpdateIdentityProvider, revisions?: number[]): Promise<ProviderRow> => {
  requireUnscoped(by, why)
  const { workspace_id: workspaceId } = by
  const encrypted = typeof secret === 'string' ? secrets.encrypt(secretContext(id), secret) : secret
  const change = { ...body, ...(encrypted !== undefined && { secret: encrypted }) }
  return db.transaction().execute(async (trx) => {
    await lockWorkspace(trx, workspaceId)
    await requireFit(trx, workspaceId, { ...await requireProvider(trx, workspaceId, id), ...body })
    if (!await updateProvider(trx, workspaceId, id, change, revisions)) {
      throw explainMiss(await findProvider(trx, workspaceId, id))
    }
    if (body.enabled === false) await endAll(trx, workspaceId, id)
    return requireProvider(trx, workspaceId, id)
  })
}

/** Its people stay, with their roles and groups; its sessions end. @throws insufficient_scope, not_found */
export const removeProvider = (db: Db, by: Principal, id: string): Promise<void> => {
  requireUnscoped(by, why)
  const { workspace_id: workspaceId } = by
  return db.transaction().execute(async (trx) => {
    await endAll(trx, workspaceId, id)
    if (!await deleteProvider(trx, workspaceId, id)) throw NotFound()
  })
}

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
