import {
  findIdentityById, type IdentityRow, findProvider, type ProviderRow
} from '../../../../db/account/identities.js'
import {
  claimCheck, endIdentitySessions, findIdentitySession, saveAnswer, setCheck
} from '../../../../db/account/identity-sessions.js'
import { findOrCreateWorkspace, lockWorkspace } from '../../../../db/account/workspace.js'
import { insertAudit } from '../../../../db/audit.js'
import type { Tokens } from '../../../../lib/identity/proof.js'
import { renew, type Renewal } from '../../../../lib/identity/renew.js'
import { peerOf, tokensContext, type IdentityDeps } from './identity-attempt.js'
import { followRules } from './identity-rules.js'

/** For so long one instance asks, and no other: two requests of ten seconds end before. */
const leaseS = 30
/** Until a provider that did not answer is asked again, by the request that comes then. */
const againS = 60

interface Held {
  sessionId: string
  provider: ProviderRow
  identity: IdentityRow
  tokens: Tokens
  silent_seconds: number
}

const findHeld = async ({ db, secrets }: IdentityDeps, workspaceId: string, sessionId: string):
Promise<Held | undefined> => {
  const session = await findIdentitySession(db, workspaceId, sessionId)
  if (!session?.tokens) return undefined
  const provider = await findProvider(db, workspaceId, session.provider_id)
  const identity = await findIdentityById(db, workspaceId, session.identity_id)
  if (!provider?.enabled || !identity) return undefined
  // It is what `admitIdentity` and `confirm` have encrypted.
  const tokens = JSON.parse(secrets.decrypt(tokensContext(sessionId), session.tokens)) as Tokens
  return { sessionId, provider, identity, tokens, silent_seconds: session.silent_seconds }
}

const end = async ({ db }: IdentityDeps, workspaceId: string, sessionId: string, held: Held | undefined,
  outcome: string): Promise<false> => {
  await db.transaction().execute(async (trx) => {
    await endIdentitySessions(trx, workspaceId, [sessionId])
    await insertAudit(trx, {
      workspace_id: workspaceId,
      user_id: held?.identity.user_id ?? null,
      via: 'system',
      via_id: null,
      operation: 'checkIdentitySession',
      target: held ? `identity:${held.provider.id}:${held.identity.subject}`.slice(0, 500) : sessionId,
      outcome,
      status: 401,
      remote_address: null,
      request_id: sessionId
    })
  })
  return false
}

const confirm = async (deps: IdentityDeps, { sessionId, provider, identity }: Held,
  { tokens, groups }: Extract<Renewal, { outcome: 'confirmed' }>): Promise<true> => {
  const { db, secrets, home } = deps
  const { workspace_id: workspaceId } = provider
  const encrypted = secrets.encrypt(tokensContext(sessionId), JSON.stringify(tokens))
  // First: a refresh token that was used is worth nothing any more.
  await saveAnswer(db, workspaceId, sessionId, encrypted, provider.check_minutes * 60)
  if (groups === undefined) return true
  await db.transaction().execute(async (trx) => {
    await lockWorkspace(trx, workspaceId)
    const now = await findIdentityById(trx, workspaceId, identity.id)
    if (now) await followRules(trx, provider, now, groups)
  })
  // ADMIN_TOKEN acts for the first active admin, who may be another one now.
  if (workspaceId === home.workspace_id) Object.assign(home, await findOrCreateWorkspace(db))
  return true
}

const look = async (deps: IdentityDeps, workspaceId: string, sessionId: string): Promise<boolean> => {
  // Another instance asks at this moment: what it finds holds from the next request on.
  if (!await claimCheck(deps.db, workspaceId, sessionId, leaseS)) return true
  const held = await findHeld(deps, workspaceId, sessionId)
  if (!held) return end(deps, workspaceId, sessionId, held, 'provider_gone')
  const { provider, identity, tokens } = held
  const answer = await renew(() => peerOf(deps, provider), tokens, identity.subject, provider.groups_claim)
  if (answer.outcome === 'confirmed') return confirm(deps, held, answer)
  deps.log.warn({ provider_id: provider.id, outcome: answer.outcome, reason: answer.reason },
    'an identity provider did not confirm a session')
  const inGrace = held.silent_seconds < (provider.check_minutes + provider.grace_minutes) * 60
  if (answer.outcome === 'refused' || !inGrace) return end(deps, workspaceId, sessionId, held, answer.outcome)
  await setCheck(deps.db, workspaceId, sessionId, againS)
  return true
}

/**
 * Asks the provider behind a browser session whether its person may still come in; requests of this instance that
 * come meanwhile wait for the same answer.
 */
export const makeChecks = (deps: IdentityDeps) => {
  const running = new Map<string, Promise<boolean>>()
  return (workspaceId: string, sessionId: string): Promise<boolean> => {
    const known = running.get(sessionId)
    if (known) return known
    const looking = look(deps, workspaceId, sessionId).finally(() => { running.delete(sessionId) })
    running.set(sessionId, looking)
    return looking
  }
}
