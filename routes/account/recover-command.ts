import { parseArgs } from 'node:util'
import Fastify from 'fastify'
import { insertLink, voidLinks, endSessionsOf } from '../../db/account/sessions.js'
import { deletePasskeysOf } from '../../db/account/passkeys.js'
import { findFirstAdmin, findUser } from '../../db/account/users.js'
import { findOrCreateWorkspace, type Home } from '../../db/account/workspace.js'
import { findWorkspaceById } from '../../db/account/workspaces.js'
import { insertAudit } from '../../db/audit.js'
import type { Db } from '../../db/index.js'
import { originAt } from '../../lib/http/addresses.js'
import { issueToken } from '../../lib/security/tokens.js'
import configPlugin, { type Config } from '../../plugins/config.js'
import db from '../../plugins/db.js'
import { linkUrl } from './lib/people/invite.js'

const linkSeconds = 3600
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const usage = 'usage: recover-passkeys [USER_ID] [--workspace WORKSPACE_ID]'

interface Named { user: string | undefined, workspace: string | undefined }

const isIdOrNone = (text: string | undefined): boolean => text === undefined || uuidPattern.test(text)

/** @throws Error with one line that says how it is called */
const read = (args: readonly string[]): Named => {
  try {
    const { values: { workspace }, positionals: [user, ...more] } =
      parseArgs({ args: [...args], allowPositionals: true, options: { workspace: { type: 'string' } } })
    if (more.length > 0 || !isIdOrNone(user) || !isIdOrNone(workspace)) throw new Error(usage)
    return { user: user?.toLowerCase(), workspace: workspace?.toLowerCase() }
  } catch {
    throw new Error(usage)
  }
}

/** @throws Error with one line for a workspace that is not there, or has no active admin */
const findLost = async (db: Db, { workspace, user }: Named, home: Home) => {
  const found = await findWorkspaceById(db, workspace ?? home.workspace_id)
  if (!found) throw new Error(`There is no workspace ${workspace}`)
  const { id, hosts } = found
  const userId = user ?? (id === home.workspace_id ? home.admin_id : (await findFirstAdmin(db, id))?.id)
  if (userId === undefined) throw new Error(`The workspace ${id} has no active admin: name a person`)
  return { workspace_id: id, hosts, user_id: userId }
}

/**
 * Gives a person a new start, for whoever lost the last passkey and has no other admin: their passkeys are removed,
 * their sessions and links end, and one link signs them in once within the hour. The record of their workspace says so.
 * Without a workspace, the first; without a person, its first admin.
 * @throws Error with one line for a person who is not there or is disabled
 */
export const recoverPasskeys = async (config: Config, args: readonly string[]): Promise<void> => {
  const named = read(args)
  const app = Fastify()
  await app.register(configPlugin, { config })
  try {
    await app.register(db)
    const home = await findOrCreateWorkspace(app.db)
    const { workspace_id, hosts, user_id } = await findLost(app.db, named, home)
    const token = issueToken({ home }, 'link', workspace_id)
    const removed = await app.db.transaction().execute(async (trx) => {
      const user = await findUser(trx, workspace_id, user_id)
      if (user?.status !== 'active') {
        throw new Error(`There is no active person ${user_id} in the workspace ${workspace_id}`)
      }
      const gone = await deletePasskeysOf(trx, workspace_id, user_id)
      await endSessionsOf(trx, workspace_id, user_id)
      await voidLinks(trx, workspace_id, { user_id })
      await insertLink(trx, { workspace_id, user_id, purpose: 'invitation', hash: token.hash, issued_by: null }, linkSeconds)
      await insertAudit(trx, {
        workspace_id,
        user_id: null,
        via: 'system',
        via_id: null,
        operation: 'recoverPasskeys',
        target: user_id,
        outcome: 'succeeded',
        status: null,
        remote_address: null,
        request_id: 'recover-passkeys',
        body: { passkeys: gone }
      })
      return gone
    })
    process.stdout.write(`removed: ${removed.length}\n${linkUrl(originAt(app, hosts), token)}\n`)
  } finally {
    await app.close()
  }
}
