import { Webhook } from 'standardwebhooks'
import type { ChannelRow } from '../../../../db/channels/channels.js'
import type { DeliveryRow } from '../../../../db/channels/deliveries.js'
import { OutboundError } from '../../../../lib/outbound/errors.js'
import { messageOf } from '../../../../schemas/unknown.js'
import type { Deps } from '../deps.js'
import type { Message, Sent } from './message.js'
import { sendMail } from './send-mail.js'
import { sendPush } from './send-push.js'
import { sendSlack } from './send-slack.js'

const timeoutMs = 15_000
const maxAnswer = 65_536
/** What a receiver says of the message itself, not of its own state. */
const refusals = new Set([400, 413, 415, 422])

/** What programs read of a question, beside what people do. */
const approvalOf = ({ question }: Message) => question && {
  confirmation_id: question.id,
  session_id: question.session_id,
  tool: question.name,
  status: question.status,
  risk: question.risk,
  summary: question.summary,
  target: question.target,
  changes: question.preview,
  requested_by: question.requested_by,
  decided_by: question.decided_by,
  expires_at: question.expires_at
}

const toBody = (message: Message, at: Date): string => {
  const { type, title, lines, url } = message
  const approval = approvalOf(message)
  const data = { title, lines, url, ...(approval && { approval }) }
  return JSON.stringify({ type, timestamp: at.toISOString(), data })
}

/** The same message has the same id each time, by which a receiver recognizes a repetition. */
const sendWebhook = async ({ outbound, secrets }: Deps, channel: ChannelRow, message: Message):
Promise<Sent> => {
  if (channel.secret === null) return { ok: false, error: 'Its secret is gone', isRefused: true }
  const secret = secrets.decrypt(`channel|${channel.id}|secret`, channel.secret)
  const at = new Date()
  const body = toBody(message, at)
  const { status, headers } = await outbound.fetch({
    url: channel.address,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': message.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(message.id, at, body)
    },
    body,
    timeoutMs,
    maxBytes: maxAnswer
  })
  if (status >= 200 && status < 300) return { ok: true, ref: null }
  const after = Number(headers['retry-after'])
  return {
    ok: false,
    error: `It answered ${status}`,
    isRefused: refusals.has(status),
    ...(after > 0 && { afterSeconds: Math.min(after, 3_600) })
  }
}

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
