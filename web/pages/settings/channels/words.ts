import type { Schemas } from '../../../api/client'

export type Channel = Schemas['Channel']
export type Event = Channel['events'][number]
export type Kind = Channel['kind']

export const kindLabels: Record<Kind, string> = {
  webhook: 'Signed webhook', email: 'E-mail', slack: 'Slack', push: 'This browser'
}

export const eventLabels: Record<Event, string> = {
  asked: 'something waits for my approval',
  run_ended: 'a run of mine ended',
  deployment_failed: 'a build or deployment that I began failed',
  budget_low: 'I have used 80 % of my budget for today',
  review: 'a text was given to me to review, or waits for my review'
}

/** What a message was about. */
export const messageLabels: Record<Schemas['ChannelDelivery']['event'], string> = {
  asked: 'Approval asked',
  run_ended: 'Run ended',
  deployment_failed: 'Build or deployment failed',
  budget_low: 'Budget low',
  review: 'Review',
  digest: 'Digest',
  refused: 'Attempt refused',
  test: 'Test'
}

// The keys of a record of events are events.
export const eventNames = Object.keys(eventLabels) as Event[]

/** Of this browser. */
export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
