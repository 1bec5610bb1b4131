import { createECDH } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { isMailAddress } from '../../../lib/mail/address.js'
import { mailServerOf } from '../../../lib/mail/server.js'
import { OutboundError } from '../../../lib/outbound/errors.js'
import type { AddChannel, ChannelKind, UpdateChannel } from '../../../schemas/channels/channels.js'
import { messageOf } from '../../../schemas/thrown.js'
import type { Deps } from './deps.js'
import { ChannelInvalid, ChannelNotConfigured } from './errors.js'
import { isTimeZone } from './local-time.js'
import { slackAppOf } from './send/transports.js'

/** @returns the kinds that this installation can send by */
export const kindsOf = (deps: Pick<Deps, 'config' | 'sandbox'>): ChannelKind[] => [
  'webhook',
  ...(mailServerOf(deps) ? ['email' as const] : []),
  ...(slackAppOf(deps) ? ['slack' as const] : []),
  'push'
]

export const invalid = (pointer: string, message: string) =>
  ChannelInvalid(message, { errors: [{ pointer, code: 'channel_invalid', message }] })

export const requireTimes = ({ quiet, digest }: Pick<UpdateChannel, 'quiet' | 'digest'>): void => {
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
export const requireValid = (deps: Deps, body: AddChannel): void => {
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
