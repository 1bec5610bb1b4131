import { claimLink, findLink, type LinkPurpose } from '../../../../db/account/links.js'
import { recordSignIn } from '../../../../db/account/users.js'
import type { Db } from '../../../../db/index.js'
import { beginSession, type Browser } from '../../../../lib/security/browser-session.js'
import type { TokenKey } from '../../../../lib/security/workspace-tokens.js'
import type { User } from '../../../../schemas/account/users.js'
import { Unauthenticated } from '../../../../schemas/errors.js'
import { LinkExpired, LinkUsed } from '../errors.js'

const redeem = async (trx: Db, { workspaceId, hash }: TokenKey): Promise<{ user: User, purpose: LinkPurpose, letInBy: string | null }> => {
  const link = await findLink(trx, workspaceId, hash)
  if (!link) throw Unauthenticated('The link is not known')
  if (link.used) throw LinkUsed()
  if (link.expired) throw LinkExpired()
  // The user first, then the link, as disabling a user does: two transactions cannot wait for each other.
  const user = await recordSignIn(trx, workspaceId, link.user_id)
  if (!user) throw Unauthenticated('The link is not known')
  if (!await claimLink(trx, workspaceId, link.id)) throw LinkUsed()
  return { user, purpose: link.purpose, letInBy: link.issued_by === user.id ? null : link.issued_by }
}

/** Uses up a one-time link and begins a browser session. */
export const signIn = (db: Db, link: TokenKey, browser: Browser) => db.transaction().execute(async (trx) => {
  const { user, purpose, letInBy } = await redeem(trx, link)
  await beginSession(trx, link.workspaceId, user, browser,
    { operation: 'createBrowserSession', target: purpose, status: 200 }, letInBy)
  return { user, purpose }
})
