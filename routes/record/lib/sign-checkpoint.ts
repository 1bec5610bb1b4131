import { noteCheckpoint, type Chain } from '../../../db/record/chain.js'
import { insertCheckpoint } from '../../../db/record/checkpoints.js'
import { readClock } from '../../../db/clock.js'
import type { Db } from '../../../db/index.js'
import { digestOf } from '../../../lib/record/canonical.js'
import { signCheckpoint } from '../../../lib/record/checkpoint.js'
import { currentKey } from './signing-key.js'
import type { Deps } from './deps.js'

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
