import type { Schemas } from '../../api/client'
import { formatWord } from '../../parts/badge'
import { locale } from '../../texts/language'
import { say, type Key } from '../../texts/say'
import { describeCron } from './cron'

type Trigger = Schemas['Trigger']
export type Kind = Trigger['kind']
export type Source = NonNullable<Trigger['source']>

/** @returns the pages of triggers, for their tabs */
export const listTabs = (): [string, string][] =>
  [[say('trigger.title'), '/triggers'], [say('report.title'), '/reports']]

export const kinds: Record<Kind, Key> = {
  schedule: 'trigger.kind.schedule',
  webhook: 'trigger.kind.webhook',
  build_failed: 'trigger.kind.build',
  cost_anomaly: 'trigger.kind.cost'
}

/** @returns the senders by name */
export const nameSources = (): Record<Source, string> => ({
  alertmanager: 'Alertmanager',
  grafana: 'Grafana',
  pagerduty: 'PagerDuty',
  sns: say('trigger.source.sns'),
  generic: say('trigger.source.generic')
})

/** How the sender is set up, in a line; docs/triggers.md has the steps. */
export const setUp: Record<Source, Key> = {
  alertmanager: 'trigger.setUp.alertmanager',
  grafana: 'trigger.setUp.grafana',
  pagerduty: 'trigger.setUp.pagerduty',
  sns: 'trigger.setUp.sns',
  generic: 'trigger.setUp.generic'
}

const reasons: Record<string, Key> = {
  owner_disabled: 'trigger.reason.ownerDisabled',
  owner_gone: 'trigger.reason.ownerGone',
  owner_role: 'trigger.reason.ownerRole',
  token_revoked: 'trigger.reason.tokenRevoked',
  token_expired: 'trigger.reason.tokenExpired',
  secret_lost: 'trigger.reason.secretLost',
  imported: 'trigger.reason.imported',
  trigger_off: 'trigger.reason.off',
  daily_limit: 'trigger.reason.dailyLimit',
  resolved: 'trigger.reason.resolved',
  gave_up: 'trigger.reason.gaveUp'
}

/** @returns why a trigger is off, or why it began no run */
export const formatReason = (reason: string): string =>
  reasons[reason] ? say(reasons[reason]) : formatWord(reason)

/** @returns a time in the zone of its schedule */
export const formatInZone = (at: string, timeZone: string | null): string =>
  new Intl.DateTimeFormat(locale(), {
    timeZone: timeZone ?? 'UTC', dateStyle: 'full', timeStyle: 'short'
  }).format(new Date(at))

/** @returns what sets it off, in a few words */
export const describeCause = ({ kind, cron, time_zone: zone, source }: Trigger): string => {
  if (cron !== null) return `${say(kinds[kind])}: ${describeCron(cron)}, ${zone ?? 'UTC'}`
  return source === null ? say(kinds[kind]) : say('trigger.webhookOf', { source: nameSources()[source] })
}
