import { createHash, randomBytes, createECDH } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { Webhook } from 'standardwebhooks'
import {
  confirmByCode, countChannels, findChannel, insertChannel, listChannels, updateChannel, type ChannelRow
} from '../../../db/channels/channels.js'
import { findDelivery, revive } from '../../../db/channels/deliveries.js'
import type { Db } from '../../../db/index.js'
import { enqueueDue } from '../../../lib/durable/due-jobs.js'
import { pageUrl } from '../../../lib/http/addresses.js'
import { isMailAddress, mailServerOf } from '../../../lib/mail/submit.js'
import { OutboundError } from '../../../lib/outbound/errors.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { AddChannel, Channel, UpdateChannel, ChannelKind } from '../../../schemas/channels/channels.js'
import { messageOf } from '../../../schemas/unknown.js'
import { nextDigest, isTimeZone, deliveryKind } from './deliver.js'
import type { Deps } from './deps.js'
import {
  ChannelNotFound, CodeInvalid, TooManyChannels, ChannelInvalid, ChannelNotConfigured, ChannelUnconfirmed,
  DeliveryNotFound
} from './errors.js'
import { eventsSweep, lookMs } from './find-events.js'
import { publicPushKey } from './send/send-push.js'
import { mail } from './send/send-mail.js'
import { send } from './send/send.js'
import { sandboxPageOf, slackAppOf } from './send/send-slack.js'

/** @returns the kinds that this installation can send by */
const kindsOf = (deps: Pick<Deps, 'config' | 'sandbox'>): ChannelKind[] => [
  'webhook',
  ...(mailServerOf(deps) ? ['email' as const] : []),
  ...(slackAppOf(deps) ? ['slack' as const] : []),
  'push'
]

const invalid = (pointer: string, message: string) =>
  ChannelInvalid(message, { errors: [{ pointer, code: 'channel_invalid', message }] })

const requireTimes = ({ quiet, digest }: Pick<UpdateChannel, 'quiet' | 'digest'>): void => {
  if (quiet && !isTimeZone(quiet.time_zone)) throw invalid('/quiet/time_zone', 'There is no such time zone')
  if (digest && !isTimeZone(digest.time_zone)) throw invalid('/digest/time_zone', 'There is no such time zone')
}

const requireAddress = ({ outbound }: Deps, address: string): void => {
  try {
    outbound.check(address)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw invalid('/address', messageOf(error))
  }
}

const requireWebhook = (deps: Deps, address: string, secret: string | undefined): void => {
  requireAddress(deps, address)
  if (secret === undefined) return
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64').length
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret) || bytes < 24 || bytes > 64) {
    throw invalid('/secret', 'It is whsec_ and base64 of 24 to 64 bytes')
  }
  new Webhook(secret).sign('id', new Date(), '')
}

/** @returns whether it is the key of a browser: a point of P-256 (RFC 8291) */
const isPoint = (text: string): boolean => {
  try {
    const ecdh = createECDH('prime256v1')
    ecdh.generateKeys()
    return ecdh.computeSecret(Buffer.from(text, 'base64url')).length === 32
  } catch {
    return false
  }
}

const requirePush = (deps: Deps, { address = '', keys }: AddChannel): void => {
  requireAddress(deps, address)
  const { p256dh = '', auth = '' } = keys ?? {}
  if (!isPoint(p256dh)) throw invalid('/keys/p256dh', 'It is no public key of a browser')
  if (Buffer.from(auth, 'base64url').length !== 16) throw invalid('/keys/auth', 'It is no secret of a browser')
}

/** @throws channel_invalid, channel_not_configured */
const requireValid = (deps: Deps, body: AddChannel): void => {
  const { kind, address, secret, keys } = body
  if (!kindsOf(deps).includes(kind)) throw ChannelNotConfigured()
  if (kind !== 'webhook' && secret !== undefined) throw invalid('/secret', 'Only a webhook has one')
  if (kind !== 'push' && keys !== undefined) throw invalid('/keys', 'Only web push has them')
  if (kind === 'slack' && address !== undefined) throw invalid('/address', 'Slack says itself who has the code')
  if (kind === 'email' && !isMailAddress(address ?? '')) throw invalid('/address', 'It is no address of e-mail')
  if (kind === 'webhook') requireWebhook(deps, address ?? '', secret)
  if (kind === 'push') requirePush(deps, body)
  requireTimes(body)
}

const most = 10

/** Whoever knows the whole address of a subscription, and its keys, could push to that browser. */
const shownAddress = ({ kind, address }: ChannelRow): string => kind === 'push' ? new URL(address).origin : address

export const showChannel = (deps: Pick<Deps, 'sandbox'>, row: ChannelRow): Channel => {
  const { workspace_id: _, user_id: _person, secret, confirmed_at: confirmed, attempts: _attempts, ...shown } = row
  const [address, sandbox_url] = [shownAddress(row), sandboxPageOf(deps, row)]
  return { ...shown, address, has_secret: secret !== null, confirmed: confirmed !== null, sandbox_url }
}

export const showChannels = async (deps: Deps, { workspace_id: id, user_id: userId }: Principal) => {
  const items = (await listChannels(deps.db, id, userId)).map((row) => showChannel(deps, row))
  return { items, kinds: kindsOf(deps), push_key: await publicPushKey(deps) }
}

/** Another person's channel is not there. @throws channel_not_found */
export const requireChannel = async (db: Db, { workspace_id, user_id }: Principal, id: string): Promise<ChannelRow> => {
  const row = await findChannel(db, workspace_id, id)
  if (row?.user_id !== user_id) throw ChannelNotFound()
  return row
}

/** 60 bits, in letters that are not mistaken for others. */
const makeCode = (): string => {
  const letters = 'BCDFGHJKMNPQRSTVWXYZ23456789ABCD'
  return Array.from(randomBytes(12), (byte) => letters[byte % letters.length]).join('')
}

export const hashCode = (code: string): Buffer =>
  createHash('sha256').update(`channel.code:${code.trim().toUpperCase()}`).digest()

const mailCode = async (deps: Deps, { id, name }: { id: string, name: string }, to: string, code: string,
  url: string): Promise<void> => {
  const sent = await mail(deps, to, {
    id: `code_${id}`,
    type: 'code',
    title: `Your code for Steward: ${code}`,
    lines: [`${name} wants to hear of approvals at this address. Enter the code within ten minutes, or ignore this.`],
    url
  })
  if (!sent.ok) throw invalid('/address', `The mail was not sent: ${sent.error}`)
}

/**
 * @returns its id, the secret of a webhook that was made here, and the code of Slack
 * @throws channel_invalid, channel_not_configured, too_many_channels
 */
export const addChannel = async (deps: Deps, principal: Principal, body: AddChannel) => {
  requireValid(deps, body)
  const { workspace_id: workspaceId, user_id } = principal
  if (await countChannels(deps.db, workspaceId, user_id) >= most) throw TooManyChannels()
  const { kind, name, address = '', events, quiet = null, digest = null } = body
  const id = uuid()
  const made = kind === 'webhook' && body.secret === undefined ? `whsec_${randomBytes(32).toString('base64')}` : null
  const secret = made ?? body.secret ?? (body.keys && JSON.stringify(body.keys))
  const code = kind === 'webhook' || kind === 'push' ? null : makeCode()
  await deps.db.transaction().execute((trx) => insertChannel(trx, workspaceId, {
    id,
    user_id,
    kind,
    name,
    address,
    secret: secret === undefined ? null : deps.secrets.encrypt(`channel|${id}|secret`, secret),
    events,
    quiet,
    digest,
    next_digest_at: nextDigest(digest, new Date()),
    code_hash: code === null ? null : hashCode(code)
  }))
  deps.jobs.sweepWithin(eventsSweep, lookMs)
  if (kind === 'email' && code !== null) {
    const url = pageUrl(deps, workspaceId, '/settings/channels')
    await mailCode(deps, { id, name: principal.name }, address, code, url)
  }
  return { id, secret: made, code: kind === 'slack' ? code : null }
}

/** @throws channel_not_found, channel_invalid */
export const changeChannel = async (deps: Deps, principal: Principal, id: string, body: UpdateChannel) => {
  await requireChannel(deps.db, principal, id)
  requireTimes(body)
  await updateChannel(deps.db, principal.workspace_id, id, {
    ...body,
    ...(body.digest !== undefined && { next_digest_at: nextDigest(body.digest, new Date()) }),
    ...(body.enabled !== undefined && { off_reason: null })
  })
}

/** Shows that the address is theirs. Slack's code is sent there. @throws channel_not_found, channel_code_invalid */
export const confirmChannel = async (deps: Deps, principal: Principal, id: string, code: string) => {
  const row = await requireChannel(deps.db, principal, id)
  if (row.confirmed_at !== null) return
  const isIt = row.kind === 'email' && await confirmByCode(deps.db, principal.workspace_id, id, hashCode(code))
  if (!isIt) throw CodeInvalid()
}

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
