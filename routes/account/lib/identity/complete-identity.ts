import {
  findByEmail, findIdentity, hasIdentity, insertIdentity, touchIdentity, type IdentityRow, type ProviderRow
} from '../../../../db/account/identities.js'
import { insertIdentitySession } from '../../../../db/account/identity-sessions.js'
import { insertUser, recordSignIn } from '../../../../db/account/users.js'
import { findOrCreateWorkspace, lockWorkspace } from '../../../../db/account/workspace.js'
import { insertAudit } from '../../../../db/audit.js'
import type { Db } from '../../../../db/index.js'
import { explainFailure, isRefused, reasonOf, refusalIn } from '../../../../lib/identity/failure.js'
import { proveIdentity, type Proof } from '../../../../lib/identity/proof.js'
import { OutboundError } from '../../../../lib/outbound/errors.js'
import { type Browser, beginSession } from '../../../../lib/security/browser-session.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { EndIdentity } from '../../../../schemas/account/identities.js'
import { ApiError } from '../../../../schemas/errors.js'
import { fieldsOf } from '../../../../schemas/unknown.js'
import {
  IdentityDenied, IdentityExchangeFailed, IdentityUnavailable, IdentityEmailTaken, IdentityNotAllowed, IdentityTaken
} from '../errors.js'
import { type Attempt, peerOf, type IdentityDeps, tokensContext } from './identity-attempt.js'
import { followRules, roleOf } from './identity-rules.js'

const isOfDomain = ({ domains }: ProviderRow, email: string | null): boolean =>
  email !== null && domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase())

/** @throws identity_not_allowed where domains are named and the verified address is of none of them */
const requireDomain = (provider: ProviderRow, { email }: Proof): void => {
  if (provider.domains.length > 0 && !isOfDomain(provider, email)) {
    throw IdentityNotAllowed('Signing in here needs a verified e-mail address of a domain that is allowed')
  }
}

type Joined = 'rule' | 'email' | 'link'

const bind = (trx: Db, provider: ProviderRow, { issuer, subject, email }: Proof, user_id: string, joined_by: Joined,
  rule_role: IdentityRow['rule_role'] = null) => insertIdentity(trx, provider.workspace_id,
  { provider_id: provider.id, user_id, issuer, subject, email, joined_by, rule_role })

/**
 * The person here who has the address. It must be verified, the provider must speak for its domain, and the person
 * must have no account of a provider yet: another issuer's word never leads to them.
 */
const joinByEmail = async (trx: Db, provider: ProviderRow, proof: Proof): Promise<IdentityRow | undefined> => {
  const { workspace_id: workspaceId } = provider
  const person = proof.email === null ? undefined : await findByEmail(trx, workspaceId, proof.email)
  if (!person) return undefined
  const speaksForIt = provider.joins_by_email && isOfDomain(provider, proof.email)
  if (!speaksForIt || await hasIdentity(trx, workspaceId, person.id)) throw IdentityEmailTaken()
  return bind(trx, provider, proof, person.id, 'email')
}

/** @throws identity_not_allowed, identity_email_taken */
const join = async (trx: Db, provider: ProviderRow, proof: Proof): Promise<IdentityRow> => {
  const known = await joinByEmail(trx, provider, proof)
  if (known) return known
  if (!provider.just_in_time) throw IdentityNotAllowed()
  const role = roleOf(provider, proof.groups) ?? provider.role
  const { email } = proof
  const { id } = await insertUser(trx, provider.workspace_id,
    // An address of a domain that is not the provider's would be in the way of whose it is.
    { name: proof.name, role, ...(isOfDomain(provider, email) && email !== null && { email }) })
  return bind(trx, provider, proof, id, 'rule', role)
}

const find = async (trx: Db, provider: ProviderRow, { issuer, subject }: Proof): Promise<IdentityRow | undefined> => {
  const known = await findIdentity(trx, provider.workspace_id, issuer, subject)
  if (known && known.provider_id !== provider.id) throw IdentityNotAllowed()
  return known
}

/**
 * Signs in whom the provider vouches for: by issuer and subject, in the provider's workspace alone.
 * @throws identity_not_allowed, for a disabled person too; identity_email_taken
 */
const admitIdentity = ({ db, secrets }: IdentityDeps, provider: ProviderRow, proof: Proof, browser: Browser) =>
  db.transaction().execute(async (trx) => {
    const { workspace_id: workspaceId } = provider
    // Two tabs of a new person make one person, and the last admin stays an admin.
    await lockWorkspace(trx, workspaceId)
    requireDomain(provider, proof)
    const identity = await find(trx, provider, proof) ?? await join(trx, provider, proof)
    await followRules(trx, provider, identity, proof.groups)
    const user = await recordSignIn(trx, workspaceId, identity.user_id)
    if (!user) throw IdentityNotAllowed()
    await touchIdentity(trx, workspaceId, identity.id, proof.email)
    const id = await beginSession(trx, workspaceId, user, browser,
      { operation: 'completeIdentitySignIn', target: targetOf(provider, proof), status: 302 })
    const tokens = secrets.encrypt(tokensContext(id), JSON.stringify(proof.tokens))
    const session = { id, identity_id: identity.id, provider_id: provider.id, sid: proof.sid, tokens }
    await insertIdentitySession(trx, workspaceId, session, provider.check_minutes * 60)
  })

/** Who it was, for the record. */
const targetOf = ({ id }: Pick<ProviderRow, 'id'>, { subject }: Proof): string =>
  `identity:${id}:${subject}`.slice(0, 500)

/**
 * Connects a signed-in person with an account that they have just proved to own.
 * @throws identity_not_allowed, identity_taken
 */
const connectIdentity = ({ db }: IdentityDeps, provider: ProviderRow, proof: Proof, userId: string) =>
  db.transaction().execute(async (trx) => {
    await lockWorkspace(trx, provider.workspace_id)
    requireDomain(provider, proof)
    const known = await find(trx, provider, proof)
    if (known && known.user_id !== userId) throw IdentityTaken()
    if (!known) await bind(trx, provider, proof, userId, 'link')
  })

interface Completion {
  provider: ProviderRow
  attempt: Attempt
  /** Who connects an account; null = a sign-in. */
  linker: Principal | null
  browser: Browser
  callback: string
  query: EndIdentity
}

/** The person's, or the provider's before it has asked the person. */
const denials = new Set(['access_denied', 'login_required', 'interaction_required', 'consent_required'])

const toApiError = (error: unknown): ApiError => {
  if (denials.has(refusalIn(error) ?? '')) return IdentityDenied()
  const unreachable = error instanceof OutboundError || fieldsOf(error).cause instanceof OutboundError
  return unreachable && !isRefused(error) ? IdentityUnavailable() : IdentityExchangeFailed(explainFailure(error))
}

const prove = async (deps: IdentityDeps, { provider, attempt, callback, query }: Completion): Promise<Proof> => {
  const { code, state, iss, error } = query
  const sent = {
    state: state ?? '',
    ...(code !== undefined && { code }),
    ...(iss !== undefined && { iss }),
    ...(error !== undefined && { error })
  }
  try {
    const begun = { callback, state: attempt.state, nonce: attempt.nonce, verifier: attempt.verifier }
    return await proveIdentity(await peerOf(deps, provider), begun, sent, provider.groups_claim)
  } catch (failure) {
    deps.log.warn({ provider_id: provider.id, reason: reasonOf(failure) },
      'an identity provider did not confirm a person')
    throw toApiError(failure)
  }
}

const record = ({ db }: IdentityDeps, { provider, linker, browser }: Completion, target: string, outcome: string,
  status: number) => insertAudit(db, {
  workspace_id: provider.workspace_id,
  user_id: linker?.user_id ?? null,
  via: linker?.via ?? 'system',
  via_id: linker?.via_id ?? null,
  operation: 'completeIdentitySignIn',
  target,
  outcome,
  status,
  remote_address: browser.address,
  request_id: browser.requestId
})

/** Signs in or connects. The record has it, and each refusal. @throws the codes of the callback */
export const completeAttempt = async (deps: IdentityDeps, completion: Completion): Promise<void> => {
  const { provider, linker, browser } = completion
  let target = `identity:${provider.id}`
  try {
    const proof = await prove(deps, completion)
    target = targetOf(provider, proof)
    if (linker) {
      await connectIdentity(deps, provider, proof, linker.user_id)
      return await record(deps, completion, target, 'succeeded', 302)
    }
    await admitIdentity(deps, provider, proof, browser)
    // ADMIN_TOKEN acts for the first active admin, who may be another one now.
    if (provider.workspace_id === deps.home.workspace_id) Object.assign(deps.home, await findOrCreateWorkspace(deps.db))
  } catch (error) {
    if (error instanceof ApiError) await record(deps, completion, target, error.code, error.statusCode)
    throw error
  }
}
