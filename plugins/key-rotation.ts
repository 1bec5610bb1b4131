import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { listEncryptedCells, replaceEncrypted } from '../db/encrypted-columns.js'
import { describeCells } from '../lib/security/encrypted-columns.js'

/**
 * Encrypts everything with the current key, so that the previous one can be taken away.
 * @throws Error with one line when a key is missing that encrypted something
 */
const rotateKey = async ({ db, secrets, log }: FastifyInstance): Promise<void> => {
  const cells = await listEncryptedCells(db)
  const lost = cells.filter(({ encrypted }) => secrets.ageOf(encrypted) === 'unknown')
  if (lost.length > 0) {
    throw new Error(`SECRET_KEY: the key is missing that encrypted ${describeCells(lost)}; add it after a comma, ` +
      'or give them up: node dist/server.js forget-secrets')
  }
  const old = cells.filter(({ encrypted }) => secrets.ageOf(encrypted) === 'previous')
  for (const cell of old) {
    const plain = secrets.decrypt(cell.context, cell.encrypted)
    await replaceEncrypted(db, cell, secrets.encrypt(cell.context, plain))
  }
  if (old.length > 0) log.info(`SECRET_KEY: encrypted again with its first key: ${describeCells(old)}`)
}

/** A new key takes over at the start what older ones encrypted. */
export default fp(rotateKey, { name: 'key-rotation', dependencies: ['db', 'secrets'] })
