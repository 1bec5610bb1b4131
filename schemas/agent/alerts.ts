import { Type, type Static } from '@sinclair/typebox'

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
