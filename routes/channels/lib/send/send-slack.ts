import type { WebClient } from '@slack/web-api'
import type { ChannelRow } from '../../../../db/channels/channels.js'
import { forgetSending, type DeliveryRow } from '../../../../db/channels/deliveries.js'
import { fieldsOf, textIn } from '../../../../schemas/unknown.js'
import { messageOf } from '../../../../schemas/thrown.js'
import type { Deps } from '../deps.js'
import { findCard, metadataOf } from './find-card.js'
import type { Message } from './message.js'
import type { Ref, Sent } from './send.js'
import { cardOf } from './slack-card.js'
import { slackAppOf, type SlackApp } from './transports.js'

const timeoutMs = 15_000

/** What Slack says of the message or of the person, which later is the same. */
const refusals = new Set(['channel_not_found', 'user_not_found', 'invalid_blocks', 'msg_too_long', 'users_not_found'])
/** After these, Slack says, some of it may have been done all the same. */
const unknown = new Set(['', 'internal_error', 'fatal_error', 'request_timeout', 'service_unavailable'])
/** The card is not there any more: there is nothing to change. */
const gone = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed'])

/** A client of Slack's Web API, which tries once: trying again is the delivery's. */
const clientOf = async ({ token, apiUrl }: SlackApp) => {
  const { WebClient, LogLevel } = await import('@slack/web-api')
  return new WebClient(token, {
    ...(apiUrl !== undefined && { slackApiUrl: apiUrl }),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    timeout: timeoutMs,
    // Its warnings name texts; ours name ids.
    logLevel: LogLevel.ERROR
  })
}

/** @returns whether Slack has said that it did nothing */
const isKnown = (error: unknown): boolean =>
  typeof fieldsOf(error).retryAfter === 'number' || !unknown.has(textIn(fieldsOf(error).data, 'error') ?? '')

const failureOf = (error: unknown, ref: Ref): Sent => {
  const code = textIn(fieldsOf(error).data, 'error') ?? ''
  if (ref !== null && gone.has(code)) return { ok: true, ref: null }
  const { retryAfter } = fieldsOf(error)
  return {
    ok: false,
    error: (code === '' ? messageOf(error) : `Slack answered ${code}`).slice(0, 500).toWellFormed(),
    isRefused: refusals.has(code),
    ...(typeof retryAfter === 'number' && { afterSeconds: Math.min(retryAfter, 3_600) })
  }
}

type Card = ReturnType<typeof cardOf>

const post = async ({ db }: Deps, client: WebClient, user: string, card: Card, row?: DeliveryRow): Promise<Sent> => {
  try {
    const { channel, ts } = await client.chat.postMessage({ channel: user, ...card, ...(row && metadataOf(row)) })
    return { ok: true, ref: channel !== undefined && ts !== undefined ? { channel, ts } : null }
  } catch (error) {
    if (row && isKnown(error)) await forgetSending(db, row)
    return failureOf(error, null)
  }
}

/** Posts a card to the person, or changes the one that is there. */
export const sendSlack = async (deps: Deps, channel: ChannelRow, message: Message, row?: DeliveryRow):
Promise<Sent> => {
  const slackApp = slackAppOf(deps)
  if (!slackApp) return { ok: false, error: 'There is no Slack app', isRefused: false }
  const client = await clientOf(slackApp)
  const card = cardOf(message, channel.workspace_id)
  const user = channel.address.split(':')[1] ?? ''
  let ref: Ref = null
  try {
    ref = row ? row.ref ?? await findCard(deps, client, user, row) : null
    // Nobody has to learn the end of what they never saw.
    if (ref === null && message.type === 'approval.ended') return { ok: true, ref }
    if (ref === null) return await post(deps, client, user, card, row)
    await client.chat.update({ ...ref, ...card })
    return { ok: true, ref }
  } catch (error) {
    return failureOf(error, ref)
  }
}

/** Says something to one person alone, beside the card. */
export const whisper = async (deps: Deps, to: { channel: string, user: string }, text: string): Promise<void> => {
  const slackApp = slackAppOf(deps)
  if (!slackApp) return
  const client = await clientOf(slackApp)
  await client.chat.postEphemeral({ ...to, text: text.replace(/[<>&]/g, ' ') }).catch((error: unknown) =>
    deps.log.warn({ reason: messageOf(error) }, 'a person was not notified in Slack'))
}
