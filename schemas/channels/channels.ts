import { Type, type Static } from '@sinclair/typebox'
import { PersonName } from '../account/users.js'
import { Id, Nullable, Timestamp, Words, page, PageQuery } from '../common.js'

const channelKinds = ['webhook', 'email', 'slack', 'push'] as const
export type ChannelKind = typeof channelKinds[number]

export const channelEvents = ['asked', 'run_ended', 'deployment_failed', 'budget_low', 'review'] as const
export type ChannelEvent = typeof channelEvents[number]

const localTime = { pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', examples: ['09:30'] }
const timeZone = Type.String({ minLength: 1, maxLength: 64, description: 'Of IANA, such as `Europe/Madrid`' })

export const Quiet = Type.Object({
  from: Type.String({ ...localTime, description: 'Local time, such as `22:00`' }),
  until: Type.String({ ...localTime, description: 'What came meanwhile is sent then' }),
  time_zone: timeZone
}, { additionalProperties: false })
export type Quiet = Static<typeof Quiet>

export const Digest = Type.Object({
  at: Type.String({ ...localTime, description: 'Local time at which what still waits is listed each day' }),
  time_zone: timeZone
}, { additionalProperties: false })
export type Digest = Static<typeof Digest>

const name = Type.String({ minLength: 1, maxLength: 100 })
const events = Type.Array(Words(channelEvents), { uniqueItems: true, maxItems: channelEvents.length })
const quiet = Nullable(Quiet)
const digest = Nullable(Digest)
const hears = 'asked: something waits for my approval; run_ended: a run of mine ended; deployment_failed: a build ' +
  'or deployment that I began failed; budget_low: I have used 80 % of what I may spend on the model today; ' +
  'review: a text was given to me to review, waits for my review, or was approved by another person'

export const Channel = Type.Object({
  id: Id,
  kind: Words(channelKinds),
  name,
  address: Type.String({
    description: 'A URL, an address of e-mail, a team and person of Slack, or the origin of a push service'
  }),
  events: Type.Array(Words(channelEvents), { description: hears }),
  quiet,
  digest,
  has_secret: Type.Boolean(),
  confirmed: Type.Boolean({ description: 'Nothing is sent to an address before its owner has shown the code' }),
  enabled: Type.Boolean(),
  off_reason: Nullable(Type.String({ description: 'Why it was turned off: imported, secret_lost, subscription_gone' })),
  failing_since: Nullable(Timestamp),
  paused_until: Nullable(Timestamp),
  last_error: Nullable(Type.String()),
  last_sent_at: Nullable(Timestamp),
  sandbox_url: Nullable(Type.String({
    description: 'Where the sandbox shows what it received, to whoever sits at its machine; null = what is sent is real'
  })),
  revision: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp
}, { $id: 'Channel', description: 'Where a person hears of what happens' })
export type Channel = Static<typeof Channel>

export const Channels = Type.Object({
  items: Type.Array(Channel),
  kinds: Type.Array(Words(channelKinds), { description: 'What can be added: e-mail and Slack are set up by the host' }),
  push_key: Type.String({ description: 'With which a browser subscribes to web push: its `applicationServerKey`' })
}, { $id: 'Channels' })

export const AddChannel = Type.Object({
  kind: Words(channelKinds),
  name,
  address: Type.Optional(Type.String({
    minLength: 3,
    maxLength: 2_000,
    description: 'webhook: an https address; email: an address; slack: none; ' +
      'push: the `endpoint` of the subscription'
  })),
  keys: Type.Optional(Type.Object({
    p256dh: Type.String({ maxLength: 100 }), auth: Type.String({ maxLength: 40 })
  }, { additionalProperties: false, description: 'push: the `keys` of the subscription' })),
  secret: Type.Optional(Type.String({
    minLength: 1, maxLength: 200, description: 'webhook: `whsec_` and base64 of 24 to 64 bytes, by default a new one'
  })),
  events,
  quiet: Type.Optional(quiet),
  digest: Type.Optional(digest)
}, { $id: 'AddChannel', additionalProperties: false })
export type AddChannel = Static<typeof AddChannel>

export const UpdateChannel = Type.Partial(Type.Object({ name, events, quiet, digest, enabled: Type.Boolean() }),
  { $id: 'UpdateChannel', additionalProperties: false, minProperties: 1 })
export type UpdateChannel = Static<typeof UpdateChannel>

export const AddedChannel = Type.Object({
  channel: Channel,
  secret: Nullable(Type.String({ description: 'Of a webhook whose secret was made here: shown this once' })),
  code: Nullable(Type.String({ description: 'Of Slack: say `/steward CODE` there within ten minutes' }))
}, { $id: 'AddedChannel' })

export const ConfirmChannel = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 40, description: 'As the mail has it' })
}, { $id: 'ConfirmChannel', additionalProperties: false })

export const ChannelParams = Type.Object({ channel_id: Id })

/** `refused`: a person was refused who used a link of mine, or the name of Slack; whatever a channel hears of. */
export const deliveryEvents = [...channelEvents, 'digest', 'refused', 'test'] as const
export type DeliveryEvent = typeof deliveryEvents[number]

/** What a message says that is not read when it is sent. */
export interface Facts {
  title?: string
  detail?: string
  /** Of the page, from its origin on. */
  path?: string
}

export const ChannelDelivery = Type.Object({
  id: Id,
  channel_id: Id,
  event: Words(deliveryEvents),
  subject_id: Type.Unsafe<string>({ ...Id, description: 'The confirmation, run, build, deployment or notice' }),
  state: Words(['waiting', 'delivered', 'dead'], { description: 'dead: given up, and can be sent again' }),
  shown: Nullable(Type.String({ description: 'What the message says of its subject; null = it was not sent' })),
  attempts: Type.Integer({ description: 'Attempts that failed one after the other' }),
  last_error: Nullable(Type.String()),
  next_attempt_at: Nullable(Timestamp),
  created_at: Timestamp,
  sent_at: Nullable(Timestamp)
}, { $id: 'ChannelDelivery' })
export type ChannelDelivery = Static<typeof ChannelDelivery>

export const WorkspaceDelivery = Type.Object({
  ...ChannelDelivery.properties,
  person: PersonName,
  channel: Type.Object({ kind: Words(channelKinds), name: Type.String() })
}, { $id: 'WorkspaceDelivery', description: 'A message of a person\'s channel; its address is theirs alone' })
export const WorkspaceDeliveries = page(WorkspaceDelivery, 'WorkspaceDeliveries')
export const ListWorkspaceDeliveries = Type.Object(PageQuery, { additionalProperties: false })
export const WorkspaceDeliveryParams = Type.Object({ delivery_id: Id })

export const ChannelDeliveries = page(ChannelDelivery, 'ChannelDeliveries')
export const ListChannelDeliveries = Type.Object({
  ...PageQuery,
  state: Words(['all', 'dead'], { default: 'all', description: 'dead: what was given up' })
}, { additionalProperties: false })
export const DeliveryParams = Type.Object({ channel_id: Id, delivery_id: Id })

export const ChannelTest = Type.Object({ delivered: Type.Boolean(), error: Nullable(Type.String()) },
  { $id: 'ChannelTest', description: 'What became of a message that says that it is a test' })

/** The job with which the area of the agent reports a person who used a question that they may not see. */
export const refusedAttemptJob = 'channels.note-refused-attempt'

export const RefusedAttempt = Type.Object({
  workspace_id: Type.String(),
  /** Who was refused. */
  user_id: Type.String(),
  confirmation_id: Type.String(),
  /** What is refused to one who decides is in the record already, as any write is. */
  how: Type.Union([Type.Literal('read'), Type.Literal('decide')]),
  origin: Type.Object({ remote_address: Type.String(), request_id: Type.String() })
})
export type RefusedAttempt = Static<typeof RefusedAttempt>

export const SlackAnswer = Type.Object({
  response_type: Type.Literal('ephemeral'),
  text: Type.String()
}, { $id: 'SlackAnswer', description: 'What Slack shows to the person who asked, and to no one else' })

export const SlackTaken = Type.Object({}, { $id: 'SlackTaken', description: 'Taken: Slack shows what became of it' })

/** What a button of a card carries back. Nothing of it is believed: it says what to look up. */
export interface ButtonValue {
  workspace_id: string
  session_id: string
  confirmation_id: string
  input_digest: string
}

/** Where a click came from: the record has it with the decision. */
export interface Origin { remote_address: string, request_id: string }

export interface Click {
  /** `team:user`. */
  address: string
  user: string
  channel: string
  approved: boolean
  value: ButtonValue
  origin: Origin
}
