import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { insertLink, voidLinks } from '../../../../db/account/links.js'
import { hasAdminSignedIn } from '../../../../db/account/users.js'
import type { Home } from '../../../../db/account/workspace.js'
import type { Db } from '../../../../db/index.js'
import type { Config } from '../../../../plugins/config.js'
import type { FreshToken } from '../../../../lib/security/tokens.js'

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
