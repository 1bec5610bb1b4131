import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasIdentity } from '../../../../db/account/identities.js'
import { hasPasskeys } from '../../../../db/account/passkeys.js'
import {
  insertLink, voidLinks, hasLiveSession, claimLink, findLink, type LinkPurpose
} from '../../../../db/account/sessions.js'
import { findUser, insertUser, isDuplicateEmail, hasAdminSignedIn, recordSignIn } from '../../../../db/account/users.js'
import { lockWorkspace, type Home } from '../../../../db/account/workspace.js'
import type { Db } from '../../../../db/index.js'
import { hasCodehostIdentity } from '../../../../db/ways-in.js'
import { beginSession, type Browser } from '../../../../lib/security/browser-session.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { FreshToken, TokenKey } from '../../../../lib/security/tokens.js'
import type { Config } from '../../../../plugins/config.js'
import type { CreateUser, Link, User } from '../../../../schemas/account/users.js'
import { NotFound, Unauthenticated } from '../../../../schemas/errors.js'
import { EmailTaken, UserCanSignIn, UserDisabled, requireUnscoped, LinkExpired, LinkUsed } from '../errors.js'

const setupSeconds = 3600

/** @returns the URL whose fragment carries the token: it reaches neither access logs nor a Referer */
export const linkUrl = (origin: string, token: FreshToken): string => `${origin}/setup#token=${token.text}`

const fileOf = (config: Config) => join(config.DATA_DIR, 'setup-link')

/** A file that stays behind holds a link that does not work any more: no reason to fail. */
export const removeSetupFile = (config: Config) => {
  try {
    rmSync(fileOf(config), { force: true })
  } catch {}
}

/** @returns the file; undefined where the folder cannot be written: the log still has the link */
const writeSetupFile = (config: Config, url: string): string | undefined => {
  try {
    mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 })
    removeSetupFile(config)
    writeFileSync(fileOf(config), `${url}\n`, { flag: 'wx', mode: 0o600 })
    return fileOf(config)
  } catch {
    return undefined
  }
}

/** Makes the one start-up link that works: older unused ones do not any more. */
export const issueSetupLink = async (db: Db, home: Home, config: Config, origin: string, token: FreshToken) => {
  await db.transaction().execute(async (trx) => {
    await voidLinks(trx, home.workspace_id, { purpose: 'bootstrap' })
    const owner = { workspace_id: home.workspace_id, user_id: home.admin_id }
    await insertLink(trx, { ...owner, purpose: 'bootstrap', hash: token.hash, issued_by: null }, setupSeconds)
  })
  const url = linkUrl(origin, token)
  return { url, file: writeSetupFile(config, url) }
}

/**
 * @returns a start-up link while no admin has ever signed in; afterwards undefined, and where `ADMIN_TOKEN` lets the
 *   operator in: there the link is not needed, and the log would give an admin's session to all who read it
 */
export const offerSetupLink = async (db: Db, home: Home, config: Config, origin: string, token: FreshToken) => {
  if (config.ADMIN_TOKEN !== undefined) return undefined
  if (!await hasAdminSignedIn(db, home.workspace_id)) return issueSetupLink(db, home, config, origin, token)
  removeSetupFile(config)
  return undefined
}

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
