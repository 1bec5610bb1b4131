import { insertLink, voidLinks } from '../../../db/account/links.js'
import { findUser, insertUser, isDuplicateEmail } from '../../../db/account/users.js'
import { lockWorkspace } from '../../../db/account/workspace.js'
import type { Db } from '../../../db/index.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { FreshToken } from '../../../lib/security/tokens.js'
import type { CreateUser, Link } from '../../../schemas/account/users.js'
import { NotFound } from '../../../schemas/errors.js'
import { EmailTaken, UserDisabled } from './errors.js'
import { requireUnscoped } from './require-unscoped.js'
import { linkUrl } from './setup-link.js'

const invitationSeconds = 7 * 86_400

const why = 'A link signs in without a limit of scopes'

export const issueInvitation = async (trx: Db, workspaceId: string, userId: string, origin: string,
  token: FreshToken) => {
  await voidLinks(trx, workspaceId, { user_id: userId })
  const link = { workspace_id: workspaceId, user_id: userId, purpose: 'invitation' as const, hash: token.hash }
  return { url: linkUrl(origin, token), expires_at: await insertLink(trx, link, invitationSeconds) }
}

/** Makes a user and the one-time link that signs the user in. */
export const invite = async (db: Db, by: Principal, user: CreateUser, origin: string, token: FreshToken) => {
  requireUnscoped(by, why)
  try {
    return await db.transaction().execute(async (trx) => {
      const made = await insertUser(trx, by.workspace_id, user)
      return { user: made, link: await issueInvitation(trx, by.workspace_id, made.id, origin, token) }
    })
  } catch (error) {
    throw isDuplicateEmail(error) ? EmailTaken() : error
  }
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
    return issueInvitation(trx, by.workspace_id, userId, origin, token)
  })
}
