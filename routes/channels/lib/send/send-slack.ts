import { createHmac, timingSafeEqual } from 'node:crypto'
import type { WebClient } from '@slack/web-api'
import type { ChannelRow } from '../../../../db/channels/channels.js'
import { forgetSending, type DeliveryRow } from '../../../../db/channels/deliveries.js'
import { describeMissing } from '../../../../lib/tools/renderable.js'
import type { ButtonValue } from '../../../../schemas/channels/channels.js'
import { messageOf, fieldsOf, textIn } from '../../../../schemas/unknown.js'
import type { Deps } from '../deps.js'
import type { Message } from './message.js'
import type { Ref, Sent } from './message.js'

/** A request is believed for so long after it was signed. */
const windowSeconds = 300

export interface Signed { timestamp: unknown, signature: unknown, body: Buffer }

const isSignedBy = (secret: string, timestamp: string, body: Buffer, signature: string): boolean => {
  const mac = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')
  const [made, given] = [Buffer.from(`v0=${mac}`), Buffer.from(signature)]
  return made.length === given.length && timingSafeEqual(made, given)
}

/**
 * Slack's signature v0, over the time and the bytes of the body.
 * @param secrets the current one, then the previous one while rotating
 */
export const isFromSlack = (secrets: readonly string[], { timestamp, signature, body }: Signed, at: Date): boolean => {
  if (typeof timestamp !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(at.getTime() / 1_000 - Number(timestamp)) > windowSeconds) return false
  return secrets.some((secret) => isSignedBy(secret, timestamp, body, signature))
}

type Configured = Pick<Deps, 'config' | 'sandbox'>

/** A Slack app: the host's, or the one of the sandbox on this machine. */
interface SlackApp {
  token: string
  /** The current one, then the previous one while rotating. */
  signingSecrets: string[]
  apiUrl: string | undefined
}

export const slackAppOf = ({ config, sandbox: { slack } }: Configured): SlackApp | undefined => {
  const { SLACK_BOT_TOKEN: token, SLACK_SIGNING_SECRET: secrets, SLACK_API_URL: apiUrl } = config
  if (token !== undefined && secrets !== undefined) return { token, signingSecrets: secrets.split(','), apiUrl }
  return slack && { token: slack.token, signingSecrets: [slack.signingSecret], apiUrl: slack.apiUrl }
}

/** @returns where the sandbox shows what it received; null = what is sent there goes to the world */
export const sandboxPageOf = ({ sandbox: { slack, mail } }: Pick<Deps, 'sandbox'>,
  { kind, user_id: userId, address }: { kind: string, user_id: string, address: string }): string | null => {
  if (kind === 'slack') return slack?.pageOf(userId) ?? null
  return kind === 'email' ? mail?.pageOf(address) ?? null : null
}

const maxHeader = 150
const maxSection = 2_900

const cut = (text: string, max: number): string =>
  (text.length > max ? `${text.slice(0, max - 1)}…` : text).toWellFormed()

/** Plain text: nothing in it is a link, a mention or a format. */
const plain = (text: string, max: number) => ({ type: 'plain_text' as const, text: cut(text, max), emoji: false })

const button = (id: string, label: string, more: object) =>
  ({ type: 'button' as const, action_id: id, text: plain(label, 75), ...more })

const textOf = ({ lines }: Message): string => lines.join('\n')

/** What of the plan the card does not show; what the card itself would cut counts, too. */
const missingIn = (message: Message): string | undefined => {
  const missing = message.question?.not_shown.find(({ surface }) => surface === 'slack')?.missing
  if (missing) return describeMissing(missing)
  const isCut = message.title.length > maxHeader || textOf(message).length > maxSection
  return isCut ? describeMissing(['length']) : undefined
}

/**
 * Whoever may not approve has the link alone; what is signed is approved where a passkey can sign, and what the card
 * cannot show whole where it is shown.
 */
const buttonsOf = (message: Message, workspaceId: string) => {
  const { url, question } = message
  if (!question?.may_approve) return [button('open', 'Open', { url })]
  const value: ButtonValue = {
    workspace_id: workspaceId,
    session_id: question.session_id,
    confirmation_id: question.id,
    input_digest: question.input_digest
  }
  const text = JSON.stringify(value)
  const reject = button('reject', 'Reject', { style: 'danger', value: text })
  if (question.requirement.signed === true) return [button('open', 'Open to sign', { style: 'primary', url }), reject]
  if (missingIn(message) !== undefined) {
    return [button('open', 'Open to read and decide', { style: 'primary', url }), reject]
  }
  return [
    button('approve', 'Approve', { style: 'primary', value: text }),
    reject,
    button('open', 'Open', { url })
  ]
}

/** @returns a message in Slack's blocks; buttons to decide are there only while the person may */
const cardOf = (message: Message, workspaceId: string) => {
  const missing = message.question?.may_approve === true ? missingIn(message) : undefined
  return toCard(message, workspaceId, missing)
}

const toCard = (message: Message, workspaceId: string, missing: string | undefined) => ({
  text: cut(message.title.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;' }[character] ?? '&gt;')), 500),
  blocks: [
    { type: 'header' as const, text: plain(message.title, maxHeader) },
    ...(message.lines.length > 0
      ? [{ type: 'section' as const, text: plain(textOf(message), maxSection) }]
      : []),
    ...(missing === undefined
      ? []
      : [{ type: 'section' as const, text: plain(`This card does not show ${missing}.`, maxSection) }]),
    { type: 'actions' as const, elements: buttonsOf(message, workspaceId) }
  ]
})

/** By which a card says of itself which delivery it is. People do not see it. */
const cardEvent = 'steward_card'

const metadataOf = ({ id }: Pick<DeliveryRow, 'id'>) =>
  ({ metadata: { event_type: cardEvent, event_payload: { delivery_id: id } } })

/** By how much the clocks of Slack and of the database may differ. */
const skewSeconds = 300
const pageSize = 200
const mostPages = 5

const isCardOf = (id: string, metadata: unknown): boolean => {
  const { event_type: type, event_payload: payload } = fieldsOf(metadata)
  return type === cardEvent && textIn(payload, 'delivery_id') === id
}

const search = async (client: WebClient, channel: string, { id }: DeliveryRow, since: Date): Promise<Ref> => {
  const oldest = (since.getTime() / 1_000 - skewSeconds).toFixed(6)
  let cursor = ''
  for (let page = 0; page < mostPages; page++) {
    const { messages = [], response_metadata: rest } = await client.conversations.history({
      channel, oldest, limit: pageSize, include_all_metadata: true, ...(cursor !== '' && { cursor })
    })
    const ts = messages.find(({ metadata }) => isCardOf(id, metadata))?.ts
    if (ts !== undefined) return { channel, ts }
    cursor = rest?.next_cursor ?? ''
    if (cursor === '') break
  }
  return null
}

/** An app that may not read its own conversations posts again, as it did before it was asked to look. */
const isMissingScope = (error: unknown): boolean => textIn(fieldsOf(error).data, 'error') === 'missing_scope'

/**
 * Looks for a card that was on its way when a process ended or an answer was lost: Slack has no key by which a
 * repetition is recognized.
 * @returns where it is; null = it was never sent, or did not arrive
 */
const findCard = async ({ log }: Deps, client: WebClient, users: string, row: DeliveryRow): Promise<Ref> => {
  if (row.sending_since === null) return null
  try {
    const { channel } = await client.conversations.open({ users })
    return channel?.id === undefined ? null : await search(client, channel.id, row, row.sending_since)
  } catch (error) {
    if (!isMissingScope(error)) throw error
    log.warn({ reason: messageOf(error), delivery_id: row.id }, 'a card was not looked for: it may be there twice')
    return null
  }
}

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
