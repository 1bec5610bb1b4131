import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import {
  confirmByCode, countChannels, findChannel, insertChannel, listChannels, updateChannel, type ChannelRow
} from '../../../db/channels/channels.js'
import type { Db } from '../../../db/index.js'
import type { Principal } from '../../../lib/security/principal.js'
import { pageUrl } from '../../../lib/http/page-url.js'
import type { AddChannel, Channel, UpdateChannel } from '../../../schemas/channels/channels.js'
import type { Deps } from './deps.js'
import { eventsSweep, lookMs } from './find-events.js'
import { ChannelNotFound, CodeInvalid, TooManyChannels } from './errors.js'
import { nextDigest } from './local-time.js'
import { publicPushKey } from './send/push-key.js'
import { invalid, kindsOf, requireTimes, requireValid } from './require-valid.js'
import { mail } from './send/send-mail.js'
import { sandboxPageOf } from './send/transports.js'

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
