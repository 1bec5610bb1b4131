import type { ChannelRow } from '../../../../db/channels/channels.js'
import type { DeliveryRow } from '../../../../db/channels/deliveries.js'
import { OutboundError } from '../../../../lib/outbound/errors.js'
import { messageOf } from '../../../../schemas/thrown.js'
import type { Deps } from '../deps.js'
import type { Message } from './message.js'
import { sendMail } from './send-mail.js'
import { sendPush } from './send-push.js'
import { sendSlack } from './send-slack.js'
import { sendWebhook } from './send-webhook.js'

export type Ref = DeliveryRow['ref']

/** Delivered, or why not. `isRefused`: it will not be taken later either. */
export type Sent = { ok: true, ref: Ref } | { ok: false, error: string, isRefused: boolean, afterSeconds?: number }

/** Sends a message once. @param row whose message before it changes, where the channel can; undefined = a test */
export const send = async (deps: Deps, channel: ChannelRow, message: Message, row?: DeliveryRow): Promise<Sent> => {
  try {
    if (channel.kind === 'webhook') return await sendWebhook(deps, channel, message)
    if (channel.kind === 'slack') return await sendSlack(deps, channel, message, row)
    if (channel.kind === 'push') return await sendPush(deps, channel, message)
    return await sendMail(deps, channel, message, row)
  } catch (error) {
    const reason = messageOf(error)
    if (!(error instanceof OutboundError)) deps.log.warn({ reason, channel_id: channel.id }, 'channel not reached')
    return { ok: false, error: reason.slice(0, 500).toWellFormed(), isRefused: false }
  }
}
