import { v7 as uuid } from 'uuid'
import { listCheckpoints } from '../../../db/record/checkpoints.js'
import { deleteLetter, findLetter } from '../../../db/record/destinations.js'
import { listEntriesAfter } from '../../../db/record/entries.js'
import { requireDestination } from './change-destination.js'
import { DeadLetterNotFound } from './errors.js'
import type { Item } from './messages.js'
import { sendItems, type Sent } from './send-items.js'
import { toCheckpoint, toEntry } from './show-entries.js'
import type { Deps } from './deps.js'

/** A letter of retention may name any number, and none of them is there any more. */
const atOnce = 100

const toResult = (sent: Sent) => ({ delivered: sent.ok, error: sent.ok ? null : sent.error })

/**
 * Sends what was set aside once more; delivered, it is no dead letter any more.
 * @throws destination_not_found, dead_letter_not_found
 */
export const resend = async (deps: Deps, workspaceId: string, destinationId: string, letterId: string) => {
  const row = await requireDestination(deps.db, workspaceId, destinationId)
  const letter = await findLetter(deps.db, workspaceId, destinationId, letterId)
  if (!letter) throw DeadLetterNotFound()
  const { what, from_seq: from, to_seq: to } = letter
  const items: Item[] = what === 'entries'
    ? (await listEntriesAfter(deps.db, workspaceId, {}, from - 1, to, atOnce)).map(toEntry)
    : (await listCheckpoints(deps.db, workspaceId, from - 1, to, atOnce)).map(toCheckpoint)
  if (items.length === 0) return { delivered: false, error: 'Retention has removed it' }
  const sent = await sendItems(deps, row, items, `audit_${row.id}_${what}_${from}_${to}`)
  if (sent.ok) await deleteLetter(deps.db, workspaceId, letterId)
  return toResult(sent)
}

/** Sends a message that says that it is a test. @throws destination_not_found */
export const sendTest = async (deps: Deps, workspaceId: string, destinationId: string) => {
  const row = await requireDestination(deps.db, workspaceId, destinationId)
  const test: Item = { type: 'test', at: new Date().toISOString(), workspace_id: workspaceId }
  return toResult(await sendItems(deps, row, [test], `audit_test_${uuid()}`))
}
