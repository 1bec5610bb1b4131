import type { ProviderRow } from '../../../../db/account/identity-providers.js'
import { findOrCreateWorkspace } from '../../../../db/account/workspace.js'
import { insertAudit } from '../../../../db/audit.js'
import { explainFailure, isRefused, reasonOf, refusalIn } from '../../../../lib/identity/failure.js'
import { proveIdentity, type Proof } from '../../../../lib/identity/proof.js'
import type { Browser } from '../../../../lib/security/browser-session.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { OutboundError } from '../../../../lib/outbound/errors.js'
import type { EndIdentity } from '../../../../schemas/account/identities.js'
import { ApiError } from '../../../../schemas/errors.js'
import { fieldsOf } from '../../../../schemas/unknown.js'
import { admitIdentity, connectIdentity, targetOf } from './admit-identity.js'
import { IdentityDenied, IdentityExchangeFailed, IdentityUnavailable } from '../errors.js'
import type { Attempt } from './identity-attempt.js'
import { peerOf, type IdentityDeps } from './identity-deps.js'

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
