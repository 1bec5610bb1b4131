import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { listSealedCells, replaceSealed } from '../db/sealed-cells.js'
import { describeCells } from './sealed-cells.js'

/**
 * Seals everything with the current key, so that the previous one can be taken away.
 * @throws Error with one line when a key is missing that sealed something
 */
const resealAll = async ({ db, secrets, log }: FastifyInstance): Promise<void> => {
  const cells = await listSealedCells(db)
  const lost = cells.filter(({ sealed }) => secrets.ageOf(sealed) === 'unknown')
  if (lost.length > 0) {
    throw new Error(`SECRET_KEY: the key is missing that sealed ${describeCells(lost)}; add it after a comma, ` +
      'or give them up: node dist/server.js forget-secrets')
  }
  const old = cells.filter(({ sealed }) => secrets.ageOf(sealed) === 'previous')
  for (const cell of old) await replaceSealed(db, cell, secrets.seal(cell.place, secrets.open(cell.place, cell.sealed)))
  if (old.length > 0) log.info(`SECRET_KEY: sealed anew with its first key: ${describeCells(old)}`)
}

/** A new key takes over at the start what older ones sealed. */
export default fp(resealAll, { name: 'resealing', dependencies: ['db', 'secrets'] })
