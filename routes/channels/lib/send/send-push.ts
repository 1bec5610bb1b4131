import { createHash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { turnOff, type ChannelRow, findPushKey, insertPushKey } from '../../../../db/channels/channels.js'
import { fieldsOf, textIn } from '../../../../schemas/unknown.js'
import type { Deps } from '../deps.js'
import type { Message } from './message.js'
import type { Sent } from './message.js'

export interface PushKey { publicKey: string, privateKey: string }

type KeyDeps = Pick<Deps, 'db' | 'secrets' | 'home'>

const contextOf = (id: string): string => `channel_push_key|${id}|secret`

const make = async ({ db, secrets, home }: KeyDeps): Promise<void> => {
  const { generateVAPIDKeys } = (await import('web-push')).default
  const { publicKey, privateKey } = generateVAPIDKeys()
  const id = uuid()
  await insertPushKey(db, home.workspace_id,
    { id, public_key: publicKey, secret: secrets.encrypt(contextOf(id), privateKey) })
}

/** By which push services know this installation (RFC 8292); the first time, it is made. */
const currentKey = async (deps: KeyDeps): Promise<NonNullable<Awaited<ReturnType<typeof findPushKey>>>> => {
  const found = await findPushKey(deps.db, deps.home.workspace_id)
  if (found) return found
  await make(deps)
  return currentKey(deps)
}

/** @returns what a browser subscribes with */
export const publicPushKey = async (deps: KeyDeps): Promise<string> => (await currentKey(deps)).public_key

/** @throws Error when it cannot be decrypted */
const pushKey = async (deps: KeyDeps): Promise<PushKey> => {
  const { id, public_key: publicKey, secret } = await currentKey(deps)
  if (!secret) throw new Error('The key of web push has lost its secret half')
  return { publicKey, privateKey: deps.secrets.decrypt(contextOf(id), secret) }
}

const timeoutMs = 15_000
const maxAnswer = 16_384
/** What a push service keeps it for while the device is off: by then it is in the inbox, or has expired. */
const keptSeconds = 86_400
/** A record of 4,096 bytes less what encryption adds (RFC 8291), with room for the fields' names. */
const maxTitle = 300
const maxBody = 600

/** The subscription is gone: the person has withdrawn it, or the browser has. */
const gone = new Set([404, 410])
const refusals = new Set([400, 401, 403, 413])

/** Whom push services ask about what is sent (RFC 8292). */
const contactOf = (origin: string): string => origin.startsWith('https://') ? origin : 'mailto:steward@localhost'

/** What JSON writes with six bytes is not shown anyway. */
const cut = (text: string, max: number): string =>
  text.replace(/[\x00-\x09\x0b-\x1f\x7f]+/g, ' ').slice(0, max).toWellFormed()

/** Messages of one question replace each other, where they are shown and where they wait. */
const topicOf = ({ id, question }: Message): string =>
  createHash('sha256').update(question?.id ?? id).digest('base64url').slice(0, 32)

const payloadOf = (message: Message): string => JSON.stringify({
  title: cut(message.title, maxTitle),
  body: cut(message.lines.join('\n'), maxBody),
  url: message.url,
  tag: topicOf(message)
})

const failureOf = (status: number, headers: Record<string, string | undefined>): Sent => {
  const after = Number(headers['retry-after'])
  const advice = gone.has(status) ? 'The browser takes nothing any more: add it again' : undefined
  return {
    ok: false,
    error: advice ?? `The push service answered ${status}`,
    isRefused: gone.has(status) || refusals.has(status),
    ...(after > 0 && { afterSeconds: Math.min(after, 3_600) })
  }
}

/** Encrypts for one browser (RFC 8291), and hands it to the service that the browser has chosen (RFC 8030). */
export const sendPush = async (deps: Deps, channel: ChannelRow, message: Message): Promise<Sent> => {
  if (channel.secret === null) return { ok: false, error: 'Its keys are gone', isRefused: true }
  const keys = fieldsOf(JSON.parse(deps.secrets.decrypt(`channel|${channel.id}|secret`, channel.secret)))
  const subject = contactOf(deps.workspaces.originOf(channel.workspace_id))
  const { generateRequestDetails } = (await import('web-push')).default
  const { headers, body } = generateRequestDetails({
    endpoint: channel.address,
    keys: { p256dh: textIn(keys, 'p256dh') ?? '', auth: textIn(keys, 'auth') ?? '' }
  }, payloadOf(message), {
    vapidDetails: { subject, ...await pushKey(deps) },
    TTL: keptSeconds,
    urgency: message.question ? 'high' : 'normal',
    topic: topicOf(message),
    contentEncoding: 'aes128gcm'
  })
  const answer = await deps.outbound.fetch({
    url: channel.address,
    method: 'POST',
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])),
    body: body ?? Buffer.alloc(0),
    timeoutMs,
    maxBytes: maxAnswer
  })
  if (answer.status >= 200 && answer.status < 300) return { ok: true, ref: null }
  if (gone.has(answer.status)) await turnOff(deps.db, channel.workspace_id, channel.id, 'subscription_gone')
  return failureOf(answer.status, answer.headers)
}
