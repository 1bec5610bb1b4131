import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, page, PageQuery, Timestamp, Words } from '../common.js'
import { PersonName } from '../account/person-name.js'
import { channelEvents, channelKinds } from './channels.js'

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
