import type { FastifyInstance } from 'fastify'
import type { PublishTarget, PutTarget } from '../../../../schemas/content/targets.js'
import { isMailAddress } from '../../../../lib/mail/address.js'
import { OutboundError } from '../../../../lib/outbound/errors.js'
import { TargetNotAllowed } from '../errors.js'
import { invalid } from '../invalid.js'

const needed = {
  webhook: ['url'],
  git_pr: ['repo_id'],
  feed: [],
  wordpress: ['url', 'username'],
  ghost: ['url'],
  mail: ['recipients'],
  mastodon: ['url'],
  bluesky: ['url', 'username'],
  linkedin: []
} as const

const secretForms: Record<PutTarget['kind'], RegExp | null> = {
  webhook: /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/,
  git_pr: null,
  feed: null,
  wordpress: /^[A-Za-z0-9]{4}(?: ?[A-Za-z0-9]{4}){3,9}$/,
  ghost: /^[0-9a-f]{24}:[0-9a-f]{64}$/,
  mail: null,
  mastodon: /^[\w-]{20,200}$/,
  bluesky: /^[a-z0-9]{4}(?:-[a-z0-9]{4}){3}$/,
  linkedin: null
}

/** The part of the config that decides who receives the secret. */
const addressOf = ({ config: { url, username } }: Pick<PutTarget, 'config'>) => JSON.stringify([url, username])

/** @returns whether the target changes to another receiver, or to another user name */
export const moves = (target: PutTarget, old: PublishTarget | undefined): boolean =>
  old !== undefined && addressOf(target) !== addressOf(old)

const requireValidSecret = (target: PutTarget, at: string, old: PublishTarget | undefined): void => {
  const form = secretForms[target.kind]
  const { secret } = target
  if (typeof secret === 'string' && form === null) throw invalid(`${at}/secret`, 'unused', 'has no use for this kind')
  if (typeof secret === 'string' && !form?.test(secret)) throw invalid(`${at}/secret`, 'format', 'has the wrong form')
  const stays = secret === undefined && old?.secret_set
  if (form !== null && stays && moves(target, old)) {
    const message = 'is asked again when url or username changes: it was given for the old one'
    throw invalid(`${at}/secret`, 'required', message)
  }
  if (form !== null && !stays && typeof secret !== 'string') {
    throw invalid(`${at}/secret`, 'required', 'is needed by this kind of target')
  }
}

const requireMailAddresses = ({ config: { recipients = [], reply_to: reply } }: PutTarget, at: string): void => {
  const wrong = recipients.findIndex((one) => !isMailAddress(one))
  if (wrong >= 0) throw invalid(`${at}/config/recipients/${wrong}`, 'format', 'is no address of mail')
  if (reply !== undefined && !isMailAddress(reply)) {
    throw invalid(`${at}/config/reply_to`, 'format', 'is no address of mail')
  }
}

/**
 * Rules of a target's kind that its schema cannot express.
 * @param old the target as it is now; undefined = it is new
 * @throws invalid_request with a pointer
 */
export const requireValidTarget = (target: PutTarget, at: string, old: PublishTarget | undefined): void => {
  for (const name of needed[target.kind]) {
    if (target.config[name] === undefined) throw invalid(`${at}/config/${name}`, 'required', 'is needed by this kind')
  }
  const { path_template: path } = target.config
  const unknown = path?.match(/\{[^}]*\}?/g)?.find((part) => !/^\{(channel|locale|slug|id)\}$/.test(part))
  if (unknown) throw invalid(`${at}/config/path_template`, 'placeholder', `has ${unknown}, which stands for nothing`)
  if (path && !/\{(slug|id)\}/.test(path)) {
    throw invalid(`${at}/config/path_template`, 'placeholder', 'needs {slug} or {id}: two records are two files')
  }
  requireMailAddresses(target, at)
  requireValidSecret(target, at, old)
}

export type Deps = Pick<FastifyInstance, 'db' | 'secrets' | 'outbound'>

/** Refuses what the URL itself shows; a host name is resolved when it is sent to. @throws target_not_allowed */
export const requirePublicAddress = (outbound: Deps['outbound'], { config: { url } }: PutTarget, at: string): void => {
  try {
    if (url !== undefined) outbound.check(url)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const pointer = `${at}/config/url`
    throw TargetNotAllowed(error.message, { errors: [{ pointer, code: error.code, message: error.message }] })
  }
}

export const secretContext = (targetId: string): string => `content_target|${targetId}|secret`
