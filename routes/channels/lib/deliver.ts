import { findChannel, markFailing, markWorking, type ChannelRow } from '../../../db/channels/channels.js'
import {
  bury, dueDeliveries, noteSending, putOff, settleSent, type ClaimedDelivery
} from '../../../db/channels/deliveries.js'
import { readClock } from '../../../db/clock.js'
import type { DueKind } from '../../../lib/durable/due-jobs.js'
import type { Deps } from './deps.js'
import { deliveriesAtOnce, makeInFlight } from './in-flight.js'
import { quietSeconds } from './local-time.js'
import { compose, type Message } from './send/message.js'
import { send, type Sent } from './send/send.js'

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
