import { hasIdentity } from '../../../../db/account/identities.js'
import { insertLink, voidLinks } from '../../../../db/account/links.js'
import { hasPasskeys } from '../../../../db/account/passkeys.js'
import { hasLiveSession } from '../../../../db/account/sessions.js'
import { hasCodehostIdentity } from '../../../../db/ways-in.js'
import { findUser, insertUser, isDuplicateEmail } from '../../../../db/account/users.js'
import { lockWorkspace } from '../../../../db/account/workspace.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { FreshToken } from '../../../../lib/security/tokens.js'
import type { CreateUser, Link } from '../../../../schemas/account/users.js'
import { NotFound } from '../../../../schemas/errors.js'
import { EmailTaken, UserCanSignIn, UserDisabled } from '../errors.js'
import { requireUnscoped } from '../require-unscoped.js'
import { linkUrl } from './setup-link.js'

const invitationSeconds = 7 * 86_400

const why = 'A link signs in without a limit of scopes'

/** @returns the colleague who answers for a link; null = the installation, by ADMIN_TOKEN */
const issuerOf = ({ user_id, via, via_id }: Principal): string | null =>
  via === 'token' && via_id === null ? null : user_id

/** @param issuer the colleague who makes it: what is approved after it does not count beside them */
export const issueInvitation = async (trx: Db, workspaceId: string, userId: string, origin: string,
  token: FreshToken, issuer: string | null) => {
  await voidLinks(trx, workspaceId, { user_id: userId })
  const link = {
    workspace_id: workspaceId, user_id: userId, purpose: 'invitation' as const, hash: token.hash, issued_by: issuer
  }
  return { url: linkUrl(origin, token), expires_at: await insertLink(trx, link, invitationSeconds) }
}

/** Makes a user and the one-time link that signs the user in. */
export const invite = async (db: Db, by: Principal, user: CreateUser, origin: string, token: FreshToken) => {
  requireUnscoped(by, why)
  try {
    return await db.transaction().execute(async (trx) => {
      const made = await insertUser(trx, by.workspace_id, user)
      return { user: made, link: await issueInvitation(trx, by.workspace_id, made.id, origin, token, issuerOf(by)) }
    })
  } catch (error) {
    throw isDuplicateEmail(error) ? EmailTaken() : error
  }
}

/** Whoever makes a link could use it: nobody gets one for a colleague who comes in without. @throws user_can_sign_in */
const requireLost = async (trx: Db, workspaceId: string, userId: string): Promise<void> => {
  const ways = {
    session: await hasLiveSession(trx, workspaceId, userId),
    passkey: await hasPasskeys(trx, workspaceId, userId),
    identity: await hasIdentity(trx, workspaceId, userId) || await hasCodehostIdentity(trx, workspaceId, userId)
  }
  const [way] = Object.entries(ways).flatMap(([name, has]) => has ? [name] : [])
  if (way !== undefined) throw UserCanSignIn(`The person has a ${way} here, and needs no link`, { way })
}

/** Makes a new link for a user; older unused ones no longer work. */
export const renewLink = (db: Db, by: Principal, userId: string, origin: string, token: FreshToken): Promise<Link> => {
  requireUnscoped(by, why)
  return db.transaction().execute(async (trx) => {
    // A user who is being disabled meanwhile must not keep a link.
    await lockWorkspace(trx, by.workspace_id)
    const user = await findUser(trx, by.workspace_id, userId)
    if (!user) throw NotFound()
    if (user.status === 'disabled') throw UserDisabled()
    const issuer = issuerOf(by)
    if (issuer !== null && issuer !== userId) await requireLost(trx, by.workspace_id, userId)
    return issueInvitation(trx, by.workspace_id, userId, origin, token, issuer)
  })
}
