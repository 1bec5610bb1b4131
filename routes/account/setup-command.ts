import Fastify from 'fastify'
import { findOrCreateWorkspace } from '../../db/account/workspace.js'
import configPlugin, { type Config } from '../../plugins/config.js'
import db from '../../plugins/db.js'
import { freshToken } from '../../lib/security/tokens.js'
import { publicOrigin } from '../../lib/http/addresses.js'
import { issueSetupLink } from './lib/people/invite.js'

/**
 * Prints a new one-time link for the first admin. On a PostgreSQL server it works at any time; the embedded database
 * has one process at a time, so Steward must be stopped first.
 * @throws Error with one line that names the process that holds the embedded database
 */
export const printSetupLink = async (config: Config): Promise<void> => {
  const app = Fastify()
  await app.register(configPlugin, { config })
  try {
    await app.register(db)
    const home = await findOrCreateWorkspace(app.db)
    const link = await issueSetupLink(app.db, home, config, publicOrigin(app), freshToken('link', null))
    process.stdout.write(`${link.url}\n`)
  } finally {
    await app.close()
  }
}
