import { listEntriesAfter } from '../../../db/record/entries.js'
import { listCheckpoints } from '../../../db/record/checkpoints.js'
import { findChain } from '../../../db/record/chain.js'
import {
  dueDestinations, setAside, settleDelivered, settleFailed, wakeDestinations, type ClaimedDestination, type Delivered
} from '../../../db/record/destinations.js'
import { enqueueDue, type DueKind } from '../../../lib/durable/due-jobs.js'
import { toCheckpoint, toEntry } from './show-entries.js'
import { sendItems, type Sent, type Item } from './send-items.js'
import type { Deps } from './sign-checkpoint.js'

/** Entries of one delivery; after a failure each goes alone, so that one which is refused does not keep the others. */
const together = 100
/** Pauses after attempts that failed, in seconds; the last is repeated for as long as it takes. */
const pauses = [5, 15, 60, 300, 900, 3_600]
/** A message that is refused so often for what it is, is set aside. */
const refusedAttempts = 3

type What = 'entries' | 'checkpoints'

/** What comes next: entries before the checkpoints that sign them. */
const nextItems = async ({ db }: Deps, row: ClaimedDestination): Promise<{ what: What, items: Item[], to: number }> => {
  const { workspace_id: id, position, checkpoint_position: signed, sends, attempts } = row
  const limit = attempts > 0 ? 1 : together
  const chain = await findChain(db, id)
  const end = chain?.seq ?? 0
  const entries = sends === 'all' ? await listEntriesAfter(db, id, {}, position, end, limit) : []
  if (entries.length > 0) return { what: 'entries', items: entries.map(toEntry), to: entries.at(-1)?.seq ?? position }
  const checkpoints = await listCheckpoints(db, id, signed, end, 1)
  return { what: 'checkpoints', items: checkpoints.map(toCheckpoint), to: checkpoints.at(-1)?.seq ?? signed }
}

const after = (row: ClaimedDestination, what: What, to: number): Delivered => ({
  position: what === 'entries' ? to : row.position,
  checkpoint_position: what === 'checkpoints' ? to : row.checkpoint_position
})

const pauseOf = ({ attempts }: ClaimedDestination, least = 0): number =>
  Math.max(least, (pauses[attempts] ?? pauses.at(-1) ?? 0) * (0.8 + Math.random() * 0.4))

const fail = async (deps: Deps, row: ClaimedDestination, sent: Extract<Sent, { ok: false }>,
  letter: { what: What, from_seq: number, to_seq: number }): Promise<number | undefined> => {
  const { error, isRefused, afterSeconds } = sent
  const isLast = isRefused && row.attempts + 1 >= refusedAttempts && letter.from_seq === letter.to_seq
  if (isLast) return await setAside(deps.db, row, { ...letter, error }) ? 0 : undefined
  const seconds = pauseOf(row, afterSeconds)
  return await settleFailed(deps.db, row, error, seconds) ? seconds : undefined
}

const seqOf = (item: Item | undefined): number => item && 'seq' in item ? item.seq : 0

/** What retention has removed before it was sent is named, not left out silently. */
const findLost = (row: ClaimedDestination, what: What, items: readonly Item[]) => {
  const first = seqOf(items[0])
  return what === 'entries' && first > row.position + 1
    ? { what, from_seq: row.position + 1, to_seq: first - 1, error: 'Retention removed it before it was delivered' }
    : undefined
}

const step = async (deps: Deps, row: ClaimedDestination): Promise<number | undefined> => {
  const { what, items, to } = await nextItems(deps, row)
  const lost = findLost(row, what, items)
  if (lost) return await setAside(deps.db, row, lost) ? 0 : undefined
  const from = seqOf(items[0])
  if (items.length > 0) {
    const sent = await sendItems(deps, row, items, `audit_${row.id}_${what}_${from}_${to}`)
    if (!sent.ok) return fail(deps, row, sent, { what, from_seq: from, to_seq: to })
  }
  return await settleDelivered(deps.db, row, after(row, what, to)) ? 0 : undefined
}

/** How jobs forward the record: in order, at least once, one delivery of a destination at a time. */
export const forwardingKind: DueKind<ClaimedDestination, Deps> = {
  job: 'record.forward',
  sweepJob: 'record.sweep-forwarding',
  idName: 'destination_id',
  rows: dueDestinations,
  run: step
}

/** Has what is new in a workspace forwarded. */
export const forwardSoon = async (deps: Deps, workspaceId: string): Promise<void> => {
  for (const key of await wakeDestinations(deps.db, workspaceId)) await enqueueDue(deps, forwardingKind, key)
}
