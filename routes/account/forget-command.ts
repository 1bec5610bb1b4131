import Fastify from 'fastify'
import { forgetEncrypted, listEncryptedCells } from '../../db/encrypted-columns.js'
import configPlugin, { type Config } from '../../plugins/config.js'
import db from '../../plugins/db.js'
import { describeCells } from '../../lib/security/encrypted-columns.js'
import secrets from '../../plugins/secrets.js'

/**
 * Gives up the secrets that no configured key opens, for whoever lost a key: connections to the code host are made
 * again by their owners, keys of cloud accounts and secrets of publish targets are entered again. The others stay.
 * The providers still know what was forgotten, until it expires or is revoked there.
 * @throws Error with one line that names the process that holds the embedded database
 */
export const forgetSecrets = async (config: Config): Promise<void> => {
  const app = Fastify()
  await app.register(configPlugin, { config })
  try {
    await app.register(secrets)
    await app.register(db)
    const cells = await listEncryptedCells(app.db)
    const lost = cells.filter(({ encrypted }) => app.secrets.ageOf(encrypted) === 'unknown')
    for (const cell of lost) await forgetEncrypted(app.db, cell)
    process.stdout.write(`forgotten: ${describeCells(lost) || 'nothing'}\n`)
  } finally {
    await app.close()
  }
}
