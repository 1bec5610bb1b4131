import { v7 as uuid } from 'uuid'
import {
  findChannel, markFailing, markWorking, type ChannelRow, listDueDigests, moveDigest
} from '../../../db/channels/channels.js'
import {
  bury, dueDeliveries, noteSending, putOff, settleSent, type ClaimedDelivery, insertDeliveries
} from '../../../db/channels/deliveries.js'
import { readClock } from '../../../db/clock.js'
import { type DueKind, enqueueDue } from '../../../lib/durable/due-jobs.js'
import type { ChannelKind, Digest, Quiet } from '../../../schemas/channels/channels.js'
import type { Deps } from './deps.js'
import { compose, type Message } from './send/message.js'
import type { Sent } from './send/message.js'
import { send } from './send/send.js'

const dayMinutes = 1_440
const minuteMs = 60_000

export const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** @returns minutes since midnight there */
const minutesAt = (at: Date, timeZone: string): number => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return toMinutes(format.format(at))
}

const toMinutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))

/** @returns minutes from one local time to the next of another */
const minutesTo = (from: number, to: number): number => (to - from + dayMinutes) % dayMinutes

/** @returns seconds until the quiet hours end; 0 outside of them */
const quietSeconds = (quiet: Quiet | null, at: Date): number => {
  if (quiet === null) return 0
  const [from, until, current] = [toMinutes(quiet.from), toMinutes(quiet.until), minutesAt(at, quiet.time_zone)]
  const isQuiet = minutesTo(from, current) < minutesTo(from, until)
  return isQuiet ? Math.max(1, minutesTo(current, until) * 60 - at.getUTCSeconds()) : 0
}

/** @returns when the digest is due next; where clocks are changed meanwhile, at the local time all the same */
export const nextDigest = (digest: Digest | null, after: Date): Date | null => {
  if (digest === null) return null
  const wanted = toMinutes(digest.at)
  const start = Math.floor(after.getTime() / minuteMs) * minuteMs
  const first = start + (minutesTo(minutesAt(after, digest.time_zone), wanted) || dayMinutes) * minuteMs
  const off = minutesTo(minutesAt(new Date(first), digest.time_zone), wanted)
  const moved = first + (off > dayMinutes / 2 ? off - dayMinutes : off) * minuteMs
  return new Date(moved > after.getTime() ? moved : moved + dayMinutes * minuteMs)
}

/** As many messages of one kind are on their way from one process at once. */
const mostOfKind = 4
/** So that of the four kinds one whose provider hangs leaves the others their places. */
const deliveriesAtOnce = 4 * mostOfKind

/** @returns a counter of one process, which runs what has a place, and says that there was none: undefined */
const makeInFlight = () => {
  const counts = new Map<ChannelKind, number>()
  return async <T>(kind: ChannelKind, run: () => Promise<T>): Promise<T | undefined> => {
    const count = counts.get(kind) ?? 0
    if (count >= mostOfKind) return undefined
    counts.set(kind, count + 1)
    try {
      return await run()
    } finally {
      counts.set(kind, (counts.get(kind) ?? 1) - 1)
    }
  }
}

/** Pauses after attempts that failed, in seconds. After the last of them it is given up. */
const pauses = [5, 15, 60, 300, 900, 3_600, 3_600, 3_600, 3_600, 7_200, 14_400, 28_800]
const refusedAttempts = 3
/** A channel that is off holds its deliveries; they are looked at again so often. */
const offSeconds = 3_600

const spread = (seconds: number): number => seconds * (0.8 + Math.random() * 0.4)

const secondsUntil = (time: Date | null, at: Date): number =>
  time === null ? 0 : Math.max(0, (time.getTime() - at.getTime()) / 1_000)

/** @returns seconds for which nothing is sent there: it is off, failing, or its person sleeps */
const heldFor = (channel: ChannelRow, row: ClaimedDelivery, at: Date): number => {
  if (!channel.enabled || channel.confirmed_at === null) return offSeconds
  // A card that is there already wakes no one by being changed.
  const quiet = row.ref === null && row.event !== 'test' ? quietSeconds(channel.quiet, at) : 0
  return Math.max(quiet, secondsUntil(channel.paused_until, at))
}

const fail = async ({ db }: Deps, row: ClaimedDelivery, sent: Extract<Sent, { ok: false }>):
Promise<number | undefined> => {
  const { error, isRefused, afterSeconds = 0 } = sent
  const tried = row.attempts + 1
  if (tried > pauses.length || (isRefused && tried >= refusedAttempts)) {
    await bury(db, row, error)
    return undefined
  }
  const seconds = Math.max(afterSeconds, spread(pauses[row.attempts] ?? 0))
  // What is refused for what it is says nothing of the channel: the rest goes on.
  if (!isRefused) await markFailing(db, row.workspace_id, row.channel_id, error, seconds)
  return putOff(db, row, seconds, error)
}

const inFlight = makeInFlight()

/** @returns null = another job holds it by now */
const sendHeld = async (deps: Deps, channel: ChannelRow, message: Message, row: ClaimedDelivery):
Promise<Sent | null> => {
  // Slack takes the same card twice: whoever comes after a process that ends here looks for it.
  const isNew = channel.kind === 'slack' && row.ref === null
  return isNew && !await noteSending(deps.db, row) ? null : send(deps, channel, message, row)
}

const step = async (deps: Deps, row: ClaimedDelivery): Promise<number | undefined> => {
  const { db } = deps
  const channel = await findChannel(db, row.workspace_id, row.channel_id)
  if (!channel) return undefined
  const held = heldFor(channel, row, await readClock(db))
  if (held > 0) return putOff(db, row, held + Math.random())
  const message = await compose(deps, row)
  if (!message) return settleSent(db, row, undefined)
  const sent = await inFlight(channel.kind, () => sendHeld(deps, channel, message, row))
  if (sent === undefined) return putOff(db, row, 1 + Math.random())
  if (sent === null) return undefined
  if (!sent.ok) return fail(deps, row, sent)
  await markWorking(db, row.workspace_id, row.channel_id)
  return settleSent(db, row, sent)
}

/** How jobs send to a channel: each message at least once and with an id of its own, by itself. */
export const deliveryKind: DueKind<ClaimedDelivery, Deps> = {
  job: 'channels.deliver',
  sweepJob: 'channels.sweep-deliveries',
  idName: 'delivery_id',
  rows: dueDeliveries,
  concurrency: deliveriesAtOnce,
  run: step
}

/** What waits is looked up when it is sent; with nothing to say, nothing is. */
export const sendDigests = async (deps: Deps): Promise<void> => {
  for (const channel of await listDueDigests(deps.db)) {
    const { workspace_id: workspaceId, id, user_id } = channel
    const made = await deps.db.transaction().execute(async (trx) =>
      await moveDigest(trx, channel, nextDigest(channel.digest, new Date()))
        ? insertDeliveries(trx, workspaceId,
          [{ channel_id: id, user_id, event: 'digest', subject_id: uuid(), facts: {}, wanted: 'digest' }])
        : [])
    for (const key of made) await enqueueDue(deps, deliveryKind, key)
  }
}
