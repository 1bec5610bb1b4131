import Fastify from 'fastify'
import { forgetTokens, listSealed } from '../../db/codehost/grants.js'
import { isSealedBy } from '../../plugins/codehost/sealed-tokens.js'
import configPlugin, { type Config } from '../../plugins/config.js'
import db from '../../plugins/db.js'
import secrets from '../../plugins/secrets.js'

/**
 * Gives up the connections whose tokens no configured key opens: their owners connect again, the others keep theirs.
 * For whoever lost a key. The code host still knows those tokens, until they expire or are revoked there.
 * @throws Error with one line that names the process that holds the embedded database
 */
export const forgetConnections = async (config: Config): Promise<void> => {
  const app = Fastify()
  await app.register(configPlugin, { config })
  try {
    await app.register(secrets)
    await app.register(db)
    const lost = (await listSealed(app.db)).filter((row) => isSealedBy(app.secrets, row, 'unknown'))
    for (const { workspace_id, id } of lost) await forgetTokens(app.db, workspace_id, id)
    process.stdout.write(`${lost.length} forgotten\n`)
  } finally {
    await app.close()
  }
}
