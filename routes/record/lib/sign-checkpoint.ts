import type { FastifyInstance } from 'fastify'
import { v7 as uuid } from 'uuid'
import { readClock } from '../../../db/clock.js'
import type { Db } from '../../../db/index.js'
import { noteCheckpoint, type Chain } from '../../../db/record/chain.js'
import { insertCheckpoint, findCurrentKey, insertKey, retireKey } from '../../../db/record/checkpoints.js'
import { signCheckpoint, makeKeyPair } from '../../../lib/record/checkpoint.js'
import { digestOf } from '../../../lib/record/entry.js'

/** What the record's functions take of the application. */
export type Deps = Pick<FastifyInstance, 'db' | 'jobs' | 'log' | 'secrets' | 'home' | 'outbound' | 'config'>

export interface SigningKey { id: string, x: string, pem: string }

type KeyDeps = Pick<Deps, 'secrets' | 'home'>

const contextOf = (id: string): string => `audit_key|${id}|secret`

const make = async ({ secrets, home }: KeyDeps, db: Db): Promise<void> => {
  const { x, pem } = makeKeyPair()
  const id = uuid()
  await insertKey(db, home.workspace_id, { id, public_key: x, secret: secrets.encrypt(contextOf(id), pem) })
}

/** @returns the key that signs now; the first time, it is made. @throws Error when it cannot be decrypted */
export const currentKey = async (deps: KeyDeps, db: Db): Promise<SigningKey> => {
  const found = await findCurrentKey(db, deps.home.workspace_id)
  if (!found) {
    await make(deps, db)
    return currentKey(deps, db)
  }
  const { id, public_key: x, secret } = found
  if (!secret) throw new Error('The key of the record has lost its secret half')
  return { id, x, pem: deps.secrets.decrypt(contextOf(id), secret) }
}

/** Takes a new key from now on; the old one is still published. */
export const rotateKey = (deps: Deps): Promise<void> => deps.db.transaction().execute(async (trx) => {
  const { workspace_id: home } = deps.home
  const old = await findCurrentKey(trx, home)
  if (old) await retireKey(trx, home, old.id)
  await make(deps, trx)
})

/** Entries after which there is a checkpoint; and seconds after which, if there are any new ones. */
const everyEntries = 1_000
export const everySeconds = 600

/** `enough`: after many entries, or a time with any. `now`: with any. */
export type Due = 'enough' | 'now'

const isDue = ({ seq, checkpoint_seq: signed, checkpoint_age_s: age }: Chain, due: Due): boolean =>
  seq > signed && (due === 'now' || seq - signed >= everyEntries || age >= everySeconds)

/** Signs the end of the chain, which the caller has locked, if that is due. @returns whether it was */
export const signIfDue = async (deps: Deps, trx: Db, workspaceId: string, chain: Chain, due: Due):
Promise<boolean> => {
  if (!isDue(chain, due)) return false
  const key = await currentKey(deps, trx)
  const { seq, hash, checkpoint_hash: previous } = chain
  const at = (await readClock(trx)).toISOString()
  const signed = signCheckpoint({ workspace_id: workspaceId, seq, hash, at, previous, key_id: key.id }, key.pem)
  const { type: _, version: _version, ...row } = signed
  await insertCheckpoint(trx, { ...row, public_key: key.x })
  await noteCheckpoint(trx, workspaceId, seq, digestOf(signed))
  return true
}
