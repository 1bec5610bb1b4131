import type { Static, TSchema } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { type Ending, findFiring, listProposals, resolveAlerts } from '../../../../db/agent/firings.js'
import { noteResolved } from '../../../../db/agent/start-firing.js'
import type { TriggerRow } from '../../../../db/agent/triggers.js'
import { compileJson } from '../../../../lib/openapi/json-schemas.js'
import {
  CloudWatchAlarm, GenericEvent, GroupedAlerts, PagerDutyEvent, SnsMessage, type TriggerSource
} from '../../../../schemas/agent/triggers.js'
import { EventInvalid } from '../errors.js'
import type { Deps } from '../run/run-state.js'
import { once, type Cause } from './fire-trigger.js'

type ResolveDeps = Deps & Pick<FastifyInstance, 'engine'>

/** Adds to the session that the alert is resolved, unless a run of it lives: then that run's end adds it. */
export const noteIfResolved = async (deps: Pick<Deps, 'db'>, workspaceId: string, firingId: string): Promise<void> => {
  const firing = await findFiring(deps.db, workspaceId, firingId)
  if (!firing?.resolved_at || firing.noted_at !== null) return
  const at = firing.resolved_at.toISOString()
  // As of each message, the first block is of ours.
  const note = {
    context: `<context>\nTime: ${at.slice(0, 16)}Z\nNo person wrote this: it is a note of the platform.\n</context>`,
    text: `What set this off was resolved at ${at}. Proposals that waited have lapsed.`
  }
  await noteResolved(deps.db, { workspace_id: workspaceId, id: firingId }, note)
}

/** Closes the approvals that still wait; what a person has approved before goes on. */
const lapse = async (deps: ResolveDeps, { workspace_id, user_id }: TriggerRow, firingId: string): Promise<void> => {
  for (const { run_id } of await listProposals(deps.db, workspace_id, firingId)) {
    await deps.engine.requestCancel(workspace_id, user_id, run_id, 'alert_resolved')
  }
}

/**
 * Alerts are over: what waits for them lapses, and their sessions get a note.
 * @returns the firings of which all alerts are resolved now
 */
export const resolve = async (deps: ResolveDeps, trigger: TriggerRow, endings: readonly Ending[]):
Promise<string[]> => {
  const { workspace_id, id } = trigger
  const ids = await resolveAlerts(deps.db, { workspace_id, trigger_id: id, endings })
  for (const firingId of ids) {
    await lapse(deps, trigger, firingId)
    await noteIfResolved(deps, workspace_id, firingId)
  }
  return ids
}

/** What an event means. Neither: there is nothing to do. */
export interface Meaning { cause?: Cause, resolved?: readonly Ending[] }

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

/** Before it, no product of these existed: Alertmanager says the year 1 where there is no time. */
const firstTime = Date.UTC(1990)

/** @returns the sender's time; null when it is none */
const toTime = (text: string | undefined): Date | null => {
  const time = Date.parse(text ?? '')
  return time >= firstTime ? new Date(time) : null
}

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
        identities: firing.map((alert) => ({ identity: identityOf(alert), started_at: toTime(alert.startsAt) })),
        title: titleOfGroup(group, firing.length),
        alert: { ...group, alerts: firing }
      }
    }),
    // Alertmanager moves a start back when a sender does: what started before this end is over too.
    ...(over.length > 0 && {
      resolved: over.map((alert): Ending => ({
        name: `${alert.fingerprint}@`, by: 'prefix', ended_at: toTime(alert.endsAt), exactly: identityOf(alert)
      }))
    })
  }
}

const pagerDutyMeaning = (payload: unknown): Meaning => {
  const { event } = readPagerDuty(payload)
  const { id, title } = event.data
  if (id === undefined) return {}
  const at = toTime(event.occurred_at)
  if (event.event_type === 'incident.resolved') {
    return { resolved: [{ name: `incident:${id}|`, by: 'prefix', ended_at: at }] }
  }
  // An incident that is opened again is another one for whoever is called.
  const nth = { 'incident.triggered': '', 'incident.reopened': event.occurred_at }[event.event_type]
  if (nth === undefined) return {}
  const identities = [{ identity: `incident:${id}|${nth}`, started_at: at }]
  return { cause: { identities, title: title ?? `Incident ${id}`, alert: event } }
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
    const alert = { TopicArn, Timestamp, Subject, message }
    return { cause: { identities: once(`message:${MessageId}`), title, alert } }
  }
  const { AlarmName, AlarmArn = AlarmName, NewStateValue, StateChangeTime } = message
  const prefix = `alarm:${AlarmArn}|`
  const at = toTime(StateChangeTime)
  if (NewStateValue === 'OK') return { resolved: [{ name: prefix, by: 'prefix', ended_at: at }] }
  if (NewStateValue !== 'ALARM') return {}
  const identities = [{ identity: `${prefix}${StateChangeTime}`, started_at: at }]
  return { cause: { identities, title: AlarmName, alert: message } }
}

const genericMeaning = (payload: unknown, headers: Record<string, unknown>): Meaning => {
  const event = readGeneric(payload)
  const identity = event.id === undefined ? `delivery:${String(headers['webhook-id'])}` : `id:${event.id}`
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000)
  if (event.status === 'resolved') return { resolved: [{ name: identity, by: 'name', ended_at: sentAt }] }
  const identities = [{ identity, started_at: sentAt }]
  return { cause: { identities, title: event.title ?? 'Event', alert: event, sentAt } }
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
