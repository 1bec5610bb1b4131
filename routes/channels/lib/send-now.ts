import { v7 as uuid } from 'uuid'
import { findDelivery, revive } from '../../../db/channels/deliveries.js'
import { enqueueDue } from '../../../lib/durable/due-jobs.js'
import type { Principal } from '../../../lib/security/principal.js'
import { pageUrl } from '../../../lib/http/page-url.js'
import { requireChannel } from './change-channel.js'
import { deliveryKind } from './deliver.js'
import type { Deps } from './deps.js'
import { ChannelUnconfirmed, DeliveryNotFound } from './errors.js'
import { send } from './send/send.js'

/** Sends a message that says that it is a test, now. @throws channel_not_found, channel_unconfirmed */
export const sendTest = async (deps: Deps, principal: Principal, id: string) => {
  const channel = await requireChannel(deps.db, principal, id)
  if (channel.confirmed_at === null) throw ChannelUnconfirmed()
  const url = pageUrl(deps, principal.workspace_id, '/settings/channels')
  const title = 'This is a test of Steward'
  const sent = await send(deps, channel, { id: `test_${uuid()}`, type: 'test', title, lines: [], url })
  return { delivered: sent.ok, error: sent.ok ? null : sent.error }
}

/** A dead delivery is tried again as a new one is. @throws channel_not_found, delivery_not_found */
export const resend = async (deps: Deps, principal: Principal, channelId: string, id: string): Promise<void> => {
  const { workspace_id } = principal
  await requireChannel(deps.db, principal, channelId)
  if (!await revive(deps.db, workspace_id, channelId, id)) throw DeliveryNotFound()
  await enqueueDue(deps, deliveryKind, { workspace_id, id })
}

/** For admins, who name no channel: whose it is does not matter. @throws delivery_not_found */
export const resendAny = async (deps: Deps, { workspace_id }: Principal, id: string): Promise<void> => {
  const row = await findDelivery(deps.db, workspace_id, id)
  if (!row || !await revive(deps.db, workspace_id, row.channel_id, id)) throw DeliveryNotFound()
  await enqueueDue(deps, deliveryKind, { workspace_id, id })
}
