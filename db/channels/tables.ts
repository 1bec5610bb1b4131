import type { Generated } from 'kysely'
import type {
  ChannelEvent, ChannelKind, Digest, Quiet, DeliveryEvent, Facts, Click
} from '../../schemas/channels/channels.js'
import type { Json, NullableJson, NullableTime, Time } from '../types.js'

export interface ChannelTable {
  workspace_id: string
  id: string
  user_id: string
  kind: ChannelKind
  name: string
  /** A URL of a webhook or of web push, an address of e-mail, or `team:user` of Slack, empty until it is linked. */
  address: string
  /** Encrypted: what a webhook is signed with, or the keys of a browser for web push. */
  secret: Buffer | null
  events: Json<ChannelEvent[]>
  quiet: NullableJson<Quiet>
  digest: NullableJson<Digest>
  next_digest_at: NullableTime
  code_hash: Buffer | null
  code_until: NullableTime
  code_tries: Generated<number>
  /** null = its person has not shown yet that the address is theirs: nothing is sent there. */
  confirmed_at: NullableTime
  enabled: Generated<boolean>
  off_reason: string | null
  /** Failed one after the other. */
  attempts: Generated<number>
  failing_since: NullableTime
  /** It is not tried before. */
  paused_until: NullableTime
  last_error: string | null
  last_sent_at: NullableTime
  revision: Generated<number>
  created_at: Time
  updated_at: Time
}

export interface ChannelDeliveryTable {
  workspace_id: string
  id: string
  channel_id: string
  user_id: string
  event: DeliveryEvent
  subject_id: string
  facts: Json<Facts>
  /** What the channel should say of it. */
  wanted: string
  /** What it says; null = nothing was sent. */
  shown: string | null
  /** Where a message is that can be changed. */
  ref: NullableJson<{ channel: string, ts: string }>
  /** Since when a card is on its way of which nobody knows whether it arrived; null = none is. */
  sending_since: NullableTime
  status: Generated<'active' | 'dead'>
  attempts: Generated<number>
  last_error: string | null
  /** null = there is nothing to send. */
  next_attempt_at: NullableTime
  lease_epoch: Generated<number>
  lease_until: NullableTime
  created_at: Time
  sent_at: NullableTime
}

export interface ChannelLookTable {
  workspace_id: string
  looked_at: Time
  claimed_at: Time
}

export interface ChannelRequestTable {
  workspace_id: string
  signature: string
  created_at: Time
}

/** A click that was acknowledged, until it is taken. */
export interface ChannelClickTable {
  workspace_id: string
  id: string
  click: Json<Click>
  status: Generated<'active'>
  attempts: Generated<number>
  next_attempt_at: Time
  lease_epoch: Generated<number>
  lease_until: NullableTime
  created_at: Time
}

/** By which push services know the installation. */
export interface ChannelPushKeyTable {
  workspace_id: string
  id: string
  public_key: string
  /** Encrypted: the private half; null = it signs no more. */
  secret: Buffer | null
  created_at: Time
  retired_at: NullableTime
}

declare module '../types.js' {
  interface Database {
    channel_push_key: ChannelPushKeyTable
    channel_click: ChannelClickTable
    channel: ChannelTable
    channel_delivery: ChannelDeliveryTable
    channel_look: ChannelLookTable
    channel_request: ChannelRequestTable
  }
}
