import { v7 as uuid } from 'uuid'
import { findPushKey, insertPushKey } from '../../../../db/channels/push-keys.js'
import type { Deps } from '../deps.js'

export interface PushKey { publicKey: string, privateKey: string }

type KeyDeps = Pick<Deps, 'db' | 'secrets' | 'home'>

const contextOf = (id: string): string => `channel_push_key|${id}|secret`

const make = async ({ db, secrets, home }: KeyDeps): Promise<void> => {
  const { generateVAPIDKeys } = (await import('web-push')).default
  const { publicKey, privateKey } = generateVAPIDKeys()
  const id = uuid()
  await insertPushKey(db, home.workspace_id,
    { id, public_key: publicKey, secret: secrets.encrypt(contextOf(id), privateKey) })
}

/** By which push services know this installation (RFC 8292); the first time, it is made. */
const currentKey = async (deps: KeyDeps): Promise<NonNullable<Awaited<ReturnType<typeof findPushKey>>>> => {
  const found = await findPushKey(deps.db, deps.home.workspace_id)
  if (found) return found
  await make(deps)
  return currentKey(deps)
}

/** @returns what a browser subscribes with */
export const publicPushKey = async (deps: KeyDeps): Promise<string> => (await currentKey(deps)).public_key

/** @throws Error when it cannot be decrypted */
export const pushKey = async (deps: KeyDeps): Promise<PushKey> => {
  const { id, public_key: publicKey, secret } = await currentKey(deps)
  if (!secret) throw new Error('The key of web push has lost its secret half')
  return { publicKey, privateKey: deps.secrets.decrypt(contextOf(id), secret) }
}
