import type { Schemas } from '../../../api/client'
import { formatWord } from '../../../parts/badge'
import { say, type Key } from '../../../texts/say'

export type Channel = Schemas['Channel']
export type Event = Channel['events'][number]
export type Kind = Channel['kind']

export const kindLabels: Record<Kind, Key> = {
  webhook: 'channel.kind.webhook', email: 'channel.kind.email', slack: 'channel.kind.slack', push: 'channel.kind.push'
}

export const eventLabels: Record<Event, Key> = {
  asked: 'channel.event.asked',
  run_ended: 'channel.event.run',
  deployment_failed: 'channel.event.deployment',
  budget_low: 'channel.event.budget',
  review: 'channel.event.review'
}

/** What a message was about. */
export const messageLabels: Record<Schemas['ChannelDelivery']['event'], Key> = {
  asked: 'channel.message.asked',
  run_ended: 'channel.message.run',
  deployment_failed: 'channel.message.deployment',
  budget_low: 'channel.message.budget',
  review: 'channel.message.review',
  digest: 'channel.message.digest',
  refused: 'channel.message.refused',
  test: 'channel.message.test'
}

const offReasons: Record<string, Key> = {
  imported: 'channel.off.imported', secret_lost: 'channel.off.secretLost', subscription_gone: 'channel.off.subscriptionGone'
}

/** @returns why Steward turned a channel off */
export const describeOff = (reason: string): string =>
  offReasons[reason] ? say(offReasons[reason]) : formatWord(reason)

// The keys of a record of events are events.
export const eventNames = Object.keys(eventLabels) as Event[]

/** Of this browser. */
export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
