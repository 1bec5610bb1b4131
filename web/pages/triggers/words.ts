import type { Schemas } from '../../api/client'
import { formatWord } from '../../parts/badge'

type Trigger = Schemas['Trigger']
export type Kind = Trigger['kind']
export type Source = NonNullable<Trigger['source']>

export const tabs: [string, string][] = [['Triggers', '/triggers'], ['Reports', '/reports']]

export const kinds: Record<Kind, string> = {
  schedule: 'Schedule', webhook: 'Webhook of alerts', build_failed: 'Failed build', cost_anomaly: 'Cost anomaly'
}

export const sources: Record<Source, string> = {
  alertmanager: 'Alertmanager',
  grafana: 'Grafana',
  pagerduty: 'PagerDuty',
  sns: 'CloudWatch through SNS',
  generic: 'Another sender (Standard Webhooks)'
}

/** How the sender is set up, in a line; docs/triggers.md has the steps. */
export const setUp: Record<Source, string> = {
  alertmanager: 'In alertmanager.yml: a receiver with webhook_configs, this address as url, send_resolved: true, ' +
    'and the secret as authorization.credentials.',
  grafana: 'Alerting, Contact points: integration Webhook with this address, and the secret under HMAC ' +
    'Signature with the timestamp header X-Grafana-Alerting-Timestamp.',
  pagerduty: 'Integrations, Generic Webhooks (v3): enter this address for the events incident.triggered, ' +
    'incident.reopened and incident.resolved.',
  sns: 'Subscribe this address to the topic with the protocol https, and name the topic in the alarm\'s actions for ' +
    'ALARM and for OK. Steward confirms the subscription by itself.',
  generic: 'POST a JSON object with id, title and status to this address, signed by Standard Webhooks with the secret.'
}

const reasons: Record<string, string> = {
  owner_disabled: 'its person is disabled',
  owner_gone: 'its person is gone',
  owner_role: 'its person may only view',
  token_revoked: 'the token that made it was revoked',
  token_expired: 'the token that made it has expired',
  secret_lost: 'its secret was lost: set a new one',
  imported: 'the workspace was imported',
  trigger_off: 'the trigger was paused',
  daily_limit: 'the runs of the day were used up',
  resolved: 'the alert was over before a run began',
  gave_up: 'too many other runs of yours were at work'
}

/** @returns why a trigger is off, or why it began no run */
export const formatReason = (reason: string): string => reasons[reason] ?? formatWord(reason)

/** @returns a time in the zone of its schedule */
export const formatInZone = (at: string, timeZone: string | null): string =>
  new Intl.DateTimeFormat(undefined, { timeZone: timeZone ?? 'UTC', dateStyle: 'full', timeStyle: 'short' })
    .format(new Date(at))

/** @returns what sets it off, in a few words */
export const describeCause = ({ kind, cron, time_zone: zone, source }: Trigger): string => {
  if (cron !== null) return `${kinds[kind]}: ${cron}, ${zone ?? 'UTC'}`
  return source === null ? kinds[kind] : `Webhook: ${sources[source]}`
}
