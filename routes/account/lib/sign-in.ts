import { insertAudit } from '../../../db/audit.js'
import { claimLink, findLink, voidLinks, type LinkPurpose } from '../../../db/account/links.js'
import { endSessionByHash, insertSession } from '../../../db/account/sessions.js'
import { recordSignIn } from '../../../db/account/users.js'
import type { Db } from '../../../db/index.js'
import type { User } from '../../../schemas/account/users.js'
import { Unauthenticated } from '../../../schemas/errors.js'
import { LinkExpired, LinkUsed } from './errors.js'

export const absoluteSeconds = 7 * 86_400

interface Browser {
  hash: Buffer
  /** Of the session that the browser held until now. */
  previous: Buffer | undefined
  userAgent: string | null
  address: string
  requestId: string
  idleSeconds: number
}

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

/** Uses up a one-time link and begins a browser session. Once an admin is in, no start-up link works any more. */
export const signIn = (db: Db, linkHash: Buffer, browser: Browser) => db.transaction().execute(async (trx) => {
  const { workspaceId, user, purpose } = await redeem(trx, linkHash)
  if (user.role === 'admin') await voidLinks(trx, workspaceId, { purpose: 'bootstrap' })
  if (browser.previous) await endSessionByHash(trx, workspaceId, browser.previous)
  const who = { workspace_id: workspaceId, user_id: user.id }
  const session = { ...who, hash: browser.hash, user_agent: browser.userAgent }
  const id = await insertSession(trx, session, browser.idleSeconds, absoluteSeconds)
  await insertAudit(trx, {
    ...who,
    via: 'browser',
    via_id: id,
    operation: 'createBrowserSession',
    target: purpose,
    outcome: 'succeeded',
    status: 200,
    remote_address: browser.address,
    request_id: browser.requestId
  })
  return { user, purpose }
})
