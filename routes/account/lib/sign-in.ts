import { claimLink, findLink, type LinkPurpose } from '../../../db/account/links.js'
import { recordSignIn } from '../../../db/account/users.js'
import type { Db } from '../../../db/index.js'
import { beginSession, type Browser } from '../../../lib/security/browser-session.js'
import type { User } from '../../../schemas/account/users.js'
import { Unauthenticated } from '../../../schemas/errors.js'
import { LinkExpired, LinkUsed } from './errors.js'

const redeem = async (trx: Db, hash: Buffer): Promise<{ workspaceId: string, user: User, purpose: LinkPurpose }> => {
  const link = await findLink(trx, hash)
  if (!link) throw Unauthenticated('The link is not known')
  if (link.used) throw LinkUsed()
  if (link.expired) throw LinkExpired()
  // The user first, then the link, as disabling a user does: two transactions cannot wait for each other.
  const user = await recordSignIn(trx, link.workspace_id, link.user_id)
  if (!user) throw Unauthenticated('The link is not known')
  if (!await claimLink(trx, link.workspace_id, link.id)) throw LinkUsed()
  return { workspaceId: link.workspace_id, user, purpose: link.purpose }
}

/** Uses up a one-time link and begins a browser session. */
export const signIn = (db: Db, linkHash: Buffer, browser: Browser) => db.transaction().execute(async (trx) => {
  const { workspaceId, user, purpose } = await redeem(trx, linkHash)
  await beginSession(trx, workspaceId, user, browser,
    { operation: 'createBrowserSession', target: purpose, status: 200 })
  return { user, purpose }
})
