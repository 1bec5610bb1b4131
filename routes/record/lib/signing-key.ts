import { v7 as uuid } from 'uuid'
import { findCurrentKey, insertKey, retireKey } from '../../../db/record/keys.js'
import type { Db } from '../../../db/index.js'
import { makeKeyPair } from '../../../lib/record/checkpoint.js'
import type { Deps } from './deps.js'

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
