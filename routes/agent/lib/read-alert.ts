import type { Static, TSchema } from '@sinclair/typebox'
import type { AlertMatch } from '../../../db/agent/firings.js'
import { compileJson } from '../../../lib/openapi/json-schemas.js'
import {
  CloudWatchAlarm, GenericEvent, GroupedAlerts, PagerDutyEvent, SnsMessage
} from '../../../schemas/agent/alerts.js'
import type { TriggerSource } from '../../../schemas/agent/triggers.js'
import { EventInvalid } from './errors.js'
import type { Cause } from './fire-trigger.js'

/** What an event means. Neither: there is nothing to do. */
export interface Meaning { cause?: Cause, resolved?: AlertMatch }

/** @throws event_invalid, with a pointer to what does not fit */
export const reader = <T extends TSchema>(schema: T): (value: unknown) => Static<T> => {
  const validate = compileJson(schema)
  return (value) => {
    if (validate(value)) return value
    const [issue] = validate.errors ?? []
    const missing: unknown = issue?.params.missingProperty
    const pointer = `${issue?.instancePath ?? ''}${typeof missing === 'string' ? `/${missing}` : ''}`
    const message = issue?.message ?? 'is not valid'
    throw EventInvalid(`${pointer || 'The body'} ${message}`, { errors: [{ pointer, code: 'event_invalid', message }] })
  }
}

const readGrouped = reader(GroupedAlerts)
const readPagerDuty = reader(PagerDutyEvent)
export const readSns = reader(SnsMessage)
const readGeneric = reader(GenericEvent)
const isAlarm = compileJson(CloudWatchAlarm)

type Grouped = Static<typeof GroupedAlerts>

/** One alert keeps its fingerprint when it comes back, and starts at another time. */
const identityOf = ({ fingerprint, startsAt }: Grouped['alerts'][number]): string => `${fingerprint}@${startsAt}`

const titleOfGroup = ({ commonLabels = {}, groupLabels = {}, alerts }: Grouped, firing: number): string => {
  const name = commonLabels.alertname ?? groupLabels.alertname ?? alerts[0]?.labels.alertname ?? 'Alert'
  return firing > 1 ? `${name} (${firing} alerts)` : name
}

const groupedMeaning = (payload: unknown): Meaning => {
  const group = readGrouped(payload)
  const firing = group.alerts.filter(({ status }) => status === 'firing')
  const over = group.alerts.filter(({ status }) => status === 'resolved')
  return {
    ...(firing.length > 0 && {
      cause: {
        identities: firing.map(identityOf),
        title: titleOfGroup(group, firing.length),
        alert: { ...group, alerts: firing }
      }
    }),
    // Whenever it started: Alertmanager moves that back when a sender does.
    ...(over.length > 0 && { resolved: { prefixes: over.map(({ fingerprint }) => `${fingerprint}@`) } })
  }
}

const pagerDutyMeaning = (payload: unknown): Meaning => {
  const { event } = readPagerDuty(payload)
  const { id, title } = event.data
  if (id === undefined) return {}
  if (event.event_type === 'incident.resolved') return { resolved: { prefixes: [`incident:${id}|`] } }
  // An incident that is opened again is another one for whoever is called.
  const nth = { 'incident.triggered': '', 'incident.reopened': event.occurred_at }[event.event_type]
  if (nth === undefined) return {}
  return { cause: { identities: [`incident:${id}|${nth}`], title: title ?? `Incident ${id}`, alert: event } }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** @returns the meaning of a notification; subscriptions are no alerts */
export const snsMeaning = ({ MessageId, Subject, Message, TopicArn, Timestamp }: SnsMessage): Meaning => {
  const message = parsed(Message)
  if (!isAlarm(message)) {
    const title = Subject ?? 'Message of SNS'
    return { cause: { identities: [`message:${MessageId}`], title, alert: { TopicArn, Timestamp, Subject, message } } }
  }
  const { AlarmName, AlarmArn = AlarmName, NewStateValue, StateChangeTime } = message
  const prefix = `alarm:${AlarmArn}|`
  if (NewStateValue === 'OK') return { resolved: { prefixes: [prefix] } }
  if (NewStateValue !== 'ALARM') return {}
  return { cause: { identities: [`${prefix}${StateChangeTime}`], title: AlarmName, alert: message } }
}

const genericMeaning = (payload: unknown, headers: Record<string, unknown>): Meaning => {
  const event = readGeneric(payload)
  const identity = event.id === undefined ? `delivery:${String(headers['webhook-id'])}` : `id:${event.id}`
  if (event.status === 'resolved') return { resolved: { identities: [identity] } }
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000)
  return { cause: { identities: [identity], title: event.title ?? 'Event', alert: event, sentAt } }
}

type Read = (payload: unknown, headers: Record<string, unknown>) => Meaning

const meanings: Record<Exclude<TriggerSource, 'sns'>, Read> = {
  generic: genericMeaning,
  alertmanager: groupedMeaning,
  grafana: groupedMeaning,
  pagerduty: pagerDutyMeaning
}

/** @throws event_invalid */
export const readAlert = (source: Exclude<TriggerSource, 'sns'>, payload: unknown, headers: Record<string, unknown>):
Meaning => meanings[source](payload, headers)
