import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, page, PageQuery, Timestamp, Words } from '../common.js'
import { Revision } from '../revisions.js'

const Text = Type.String({ maxLength: 10_000 })
const Labels = Type.Record(Type.String(), Type.String())
/** What products add with a release is kept, and of no further interest. */
const open = { additionalProperties: true }

/** Anything signed by its sender; what the source decides is compared with the source's own form. */
export const AlertEvent = Type.Unknown({
  $id: 'AlertEvent', description: 'An event as the product sends it; 256 KiB'
})

const GroupedAlert = Type.Object({
  status: Type.String(),
  labels: Labels,
  annotations: Type.Optional(Labels),
  startsAt: Type.String({ maxLength: 64 }),
  endsAt: Type.Optional(Type.String({ maxLength: 64 })),
  fingerprint: Type.String({ minLength: 1, maxLength: 64 })
}, open)

/** Of Alertmanager, and of Grafana, which sends the same and more (webhook, version 4 and 1). */
export const GroupedAlerts = Type.Object({
  status: Type.String(),
  alerts: Type.Array(GroupedAlert, { minItems: 1, maxItems: 1_000 }),
  groupLabels: Type.Optional(Labels),
  commonLabels: Type.Optional(Labels),
  commonAnnotations: Type.Optional(Labels)
}, open)
export type GroupedAlerts = Static<typeof GroupedAlerts>

/** Of PagerDuty's webhooks v3. */
export const PagerDutyEvent = Type.Object({
  event: Type.Object({
    id: Type.String({ maxLength: 200 }),
    event_type: Type.String({ maxLength: 100 }),
    occurred_at: Type.String({ maxLength: 64 }),
    data: Type.Object({
      id: Type.Optional(Type.String({ maxLength: 200 })),
      title: Type.Optional(Type.String({ maxLength: 4_000 }))
    }, open)
  }, open)
}, open)
export type PagerDutyEvent = Static<typeof PagerDutyEvent>

/** A message of SNS over HTTPS. */
export const SnsMessage = Type.Object({
  Type: Type.String({ maxLength: 100 }),
  MessageId: Type.String({ maxLength: 200 }),
  TopicArn: Type.String({ maxLength: 400 }),
  Message: Type.String(),
  Timestamp: Type.String({ maxLength: 64 }),
  SignatureVersion: Type.String({ maxLength: 4 }),
  Signature: Type.String({ maxLength: 2_000 }),
  SigningCertURL: Type.String({ maxLength: 1_000 }),
  Subject: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 400 })),
  Token: Type.Optional(Type.String({ maxLength: 2_000 })),
  SubscribeURL: Type.Optional(Type.String({ maxLength: 4_000 }))
}, open)
export type SnsMessage = Static<typeof SnsMessage>

/** What an alarm of CloudWatch says in an SNS message. */
export const CloudWatchAlarm = Type.Object({
  AlarmName: Type.String({ maxLength: 300 }),
  AlarmArn: Type.Optional(Type.String({ maxLength: 500 })),
  NewStateValue: Type.String({ maxLength: 40 }),
  StateChangeTime: Type.String({ maxLength: 64 })
}, open)
export type CloudWatchAlarm = Static<typeof CloudWatchAlarm>

/** Of anything else that signs by Standard Webhooks. */
export const GenericEvent = Type.Object({
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 400 })),
  status: Type.Optional(Type.Unsafe<'firing' | 'resolved'>({ type: 'string', enum: ['firing', 'resolved'] })),
  title: Type.Optional(Text)
}, open)
export type GenericEvent = Static<typeof GenericEvent>

export const triggerKinds = ['schedule', 'webhook', 'build_failed', 'cost_anomaly'] as const
export type TriggerKind = typeof triggerKinds[number]

export const triggerSources = ['generic', 'alertmanager', 'grafana', 'pagerduty', 'sns'] as const
export type TriggerSource = typeof triggerSources[number]

export const firingStatuses = ['queued', 'started', 'skipped'] as const
export type FiringStatus = typeof firingStatuses[number]

const settings = {
  name: Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' }),
  question: Type.String({ minLength: 1, maxLength: 4000, pattern: '\\S', description: 'What the run is to find out' }),
  cron: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Five fields: minute, hour, day of the month, month, day of the week; `0 8 * * 1-5` is each weekday ' +
      'at 8'
  }),
  time_zone: Type.String({ minLength: 1, maxLength: 64, description: 'An IANA name, such as Europe/Berlin' }),
  source: Words(triggerSources, { description: 'Who sends the events: it decides how they are signed and read' }),
  secret: Type.String({
    minLength: 16,
    maxLength: 200,
    pattern: '^[\\x21-\\x7e]+$',
    examples: ['a-secret-of-the-sender'],
    description: 'The secret that the sender has already; without one, Steward makes one and answers it once'
  }),
  topic_arn: Type.String({
    maxLength: 300,
    pattern: '^arn:aws[a-z-]*:sns:[a-z0-9-]+:\\d{12}:[A-Za-z0-9_.-]{1,256}$',
    examples: ['arn:aws:sns:eu-west-1:123456789012:alarms'],
    description: 'Of source `sns`: the ARN of the one topic whose messages count, such as ' +
      '`arn:aws:sns:eu-west-1:123456789012:alarms`'
  }),
  app_id: Type.Unsafe<string>({ ...Id, description: 'Of kind `build_failed`: only this app; each app when absent' }),
  min_impact_usd: Type.Number({
    minimum: 0, maximum: 1e9, description: 'Of kind `cost_anomaly`: smaller ones start nothing'
  }),
  enabled: Type.Boolean(),
  budget_usd: Type.Number({ exclusiveMinimum: 0, maximum: 1000, description: 'What one run may cost; it ends there' }),
  runs_a_day: Type.Integer({ minimum: 1, maximum: 1000, description: 'More in 24 hours are skipped, and recorded so' })
}

const {
  name, question, cron, time_zone, source, secret, topic_arn, app_id, min_impact_usd, enabled, budget_usd,
  runs_a_day
} = settings

export const CreateTrigger = Type.Object({
  kind: Words(triggerKinds),
  name,
  question,
  cron: Type.Optional(cron),
  time_zone: Type.Optional(time_zone),
  source: Type.Optional(source),
  secret: Type.Optional(secret),
  topic_arn: Type.Optional(topic_arn),
  app_id: Type.Optional(app_id),
  min_impact_usd: Type.Optional(min_impact_usd),
  budget_usd: Type.Optional(budget_usd),
  runs_a_day: Type.Optional(runs_a_day)
}, { $id: 'CreateTrigger', additionalProperties: false })
export type CreateTrigger = Static<typeof CreateTrigger>

export const UpdateTrigger = Type.Object({
  name: Type.Optional(name),
  question: Type.Optional(question),
  cron: Type.Optional(cron),
  time_zone: Type.Optional(time_zone),
  secret: Type.Optional(secret),
  topic_arn: Type.Optional(topic_arn),
  min_impact_usd: Type.Optional(min_impact_usd),
  enabled: Type.Optional(enabled),
  budget_usd: Type.Optional(budget_usd),
  runs_a_day: Type.Optional(runs_a_day)
}, { $id: 'UpdateTrigger', additionalProperties: false, minProperties: 1 })
export type UpdateTrigger = Static<typeof UpdateTrigger>

export const Trigger = Type.Object({
  id: Id,
  kind: Words(triggerKinds),
  name: Type.String(),
  question: Type.String(),
  cron: Nullable(Type.String()),
  time_zone: Nullable(Type.String()),
  source: Nullable(Words(triggerSources)),
  topic_arn: Nullable(Type.String()),
  app_id: Nullable(Id),
  min_impact_usd: Nullable(Type.Number()),
  events_url: Nullable(Type.String({ description: 'Where the sender posts its events' })),
  enabled: Type.Boolean(),
  off_reason: Nullable(Type.String({
    description: 'Why Steward turned it off: owner_disabled, owner_gone, owner_role, token_revoked, token_expired, ' +
      'secret_lost, imported'
  })),
  budget_usd: Type.Number(),
  runs_a_day: Type.Integer(),
  next_at: Nullable(Timestamp),
  last_run_at: Nullable(Timestamp),
  revision: Revision,
  created_at: Timestamp,
  updated_at: Timestamp
}, { $id: 'Trigger' })
export type Trigger = Static<typeof Trigger>

export const NewTrigger = Type.Object({
  ...Trigger.properties,
  secret: Nullable(Type.String({ description: 'Shown this once; null where none is used, or it was given' }))
}, { $id: 'NewTrigger' })

export const TriggerPage = page(Trigger, 'TriggerPage')
export const ListTriggers = Type.Object(PageQuery)
export const TriggerParams = Type.Object({ trigger_id: Id })

export const Firing = Type.Object({
  id: Id,
  trigger_id: Id,
  title: Type.String(),
  status: Words(firingStatuses),
  reason: Nullable(Type.String({
    description: 'Why it started nothing: trigger_off, daily_limit, resolved, gave_up, imported, or why the ' +
      'trigger was turned off'
  })),
  session_id: Nullable(Id),
  run_id: Nullable(Id),
  run_status: Nullable(Type.String()),
  report_id: Nullable(Id),
  resolved_at: Nullable(Timestamp),
  created_at: Timestamp,
  started_at: Nullable(Timestamp)
}, { $id: 'Firing' })
export type Firing = Static<typeof Firing>

export const FiringPage = page(Firing, 'FiringPage')
export const ListFirings = Type.Object(PageQuery)

export const eventOutcomes = ['accepted', 'duplicate', 'resolved', 'ignored', 'subscribed'] as const

export const EventReceipt = Type.Object({
  status: Words(eventOutcomes, {
    description: 'accepted: a run begins; duplicate: it was here before; resolved: what waited for it lapses; ' +
      'ignored: nothing to do; subscribed: the topic of SNS sends from now on'
  }),
  firing_id: Nullable(Id)
}, { $id: 'EventReceipt' })
export type EventReceipt = Static<typeof EventReceipt>
