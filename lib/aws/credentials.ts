import type { Credentials, STS } from '@aws-sdk/client-sts'
import { AccountUnusable, CloudSessionUnavailable } from '../../schemas/cloud/errors.js'
import type { ApiError } from '../../schemas/errors.js'
import { redact, toAwsError } from './errors.js'
import type { SessionIdentity, SessionMarks } from './sessions.js'

export interface Keys {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
  expiration?: Date
}

/** What an emulator on this machine is asked with, ours or another: these keys open nothing else. */
export const loopbackKeys: Keys = { accessKeyId: 'AKIASANDBOX0000000000', secretAccessKey: 'sandbox-secret' }

export type KeySource = () => Promise<Keys>

const earlyMs = 300_000
const askAgainMs = 1_000

/**
 * The credentials of one account, shared by all its clients: one AssumeRole for many calls. Each client gets them
 * as expired, so that it asks here each time and a refresh reaches all of them.
 */
export class HeldKeys {
  #held: Promise<Keys> | undefined
  constructor (private readonly source: KeySource) {}

  readonly get: KeySource = async () => {
    const keys = await this.#current()
    return { ...keys, expiration: new Date(Date.now() + askAgainMs) }
  }

  /** After ExpiredToken: the next call fetches new ones. */
  forget (): void {
    this.#held = undefined
  }

  async #current (): Promise<Keys> {
    const held = await this.#held
    if (held && (!held.expiration || held.expiration.getTime() - Date.now() > earlyMs)) return held
    const fresh = this.source()
    this.#held = fresh
    fresh.catch(() => { if (this.#held === fresh) this.#held = undefined })
    return fresh
  }
}

export interface AssumedRole {
  account_id: string
  role_arn: string | null
  external_id: string
  session_seconds: number
  region: string
  /** What the session may do at most, as text; the role's own policies limit it as well. */
  policy: string
  identity: SessionIdentity
}

const reasons = 'Check that the role\'s trust policy names the identity that Steward runs as, that its condition ' +
  'holds the ExternalId of this account, and that Steward\'s identity may call sts:AssumeRole on the role'

const unusable = (role: AssumedRole, error: { name?: string, message?: string }) =>
  AccountUnusable(`${role.role_arn} could not be assumed: ${redact(error.message ?? error.name ?? '')} ${reasons}`,
    { account_id: role.account_id, checks: ['trust_policy', 'external_id', 'sts:AssumeRole'] })

const assumeErrors = /^(AccessDenied|ExpiredToken|InvalidClientTokenId|SignatureDoesNotMatch|Validation|RegionDisabled)/

const toSessionError = (role: AssumedRole, error: unknown): ApiError => error instanceof Error &&
  assumeErrors.test(error.name)
  ? unusable(role, error)
  : toAwsError(error, { account_id: role.account_id, region: role.region, service: 'sts', operation: 'AssumeRole' })

const requestOf = ({ role_arn: RoleArn, external_id, session_seconds, policy, identity }: AssumedRole) =>
  ({ RoleArn: RoleArn ?? '', ExternalId: external_id, DurationSeconds: session_seconds, Policy: policy, ...identity })

const toKeys = (role: AssumedRole, keys: Credentials | undefined): Keys => {
  if (!keys?.AccessKeyId || !keys.SecretAccessKey) throw unusable(role, { message: 'STS answered without keys.' })
  return {
    accessKeyId: keys.AccessKeyId,
    secretAccessKey: keys.SecretAccessKey,
    ...(keys.SessionToken && { sessionToken: keys.SessionToken }),
    ...(keys.Expiration && { expiration: keys.Expiration })
  }
}

/** @returns what STS gives for the role. @throws STS's error, or cloud_account_unusable */
const assume = async (role: AssumedRole, sts: () => Promise<STS>): Promise<Keys> => {
  if (role.role_arn === null) throw AccountUnusable('The account has no role_arn yet', { account_id: role.account_id })
  const client = await sts()
  try {
    return toKeys(role, (await client.assumeRole(requestOf(role))).Credentials)
  } finally {
    client.destroy()
  }
}

/**
 * @returns a source that assumes the role with the server-made ExternalId
 * @throws cloud_account_unusable, or what STS answers, in our words
 */
export const assumeRole = (role: AssumedRole, sts: () => Promise<STS>): KeySource => () =>
  assume(role, sts).catch((error: unknown) => { throw toSessionError(role, error) })

/** What a session of a write needs beside the role itself. */
export interface WriteSession {
  role: Omit<AssumedRole, 'identity'>
  identityOf: (marks: SessionMarks) => SessionIdentity
  /** What is known of the trust policy; null = not tried yet. */
  marks: SessionMarks | null
  /** Called once the role was assumed, with what its trust policy allowed. */
  onMarks: (marks: SessionMarks) => Promise<void>
}

const refusals: [RegExp, keyof SessionMarks][] =
  [[/sts:TagSession/i, 'tags'], [/sts:SetSourceIdentity|source ?identity/i, 'source_identity']]

/** @returns the mark that STS's refusal is about: the same session without it may be allowed */
const refusedMark = (error: unknown, marks: SessionMarks): keyof SessionMarks | undefined => {
  if (!(error instanceof Error) || !/^AccessDenied/.test(error.name)) return undefined
  return refusals.find(([pattern, mark]) => marks[mark] && pattern.test(error.message))?.[1]
}

/** Fewer marks, never another policy. */
const assumeMarked = async (session: WriteSession, sts: () => Promise<STS>, marks: SessionMarks):
Promise<{ keys: Keys, marks: SessionMarks }> => {
  const role = { ...session.role, identity: session.identityOf(marks) }
  try {
    return { keys: await assume(role, sts), marks }
  } catch (error) {
    const mark = refusedMark(error, marks)
    if (mark === undefined) throw toWriteError(toSessionError(role, error))
    return assumeMarked(session, sts, { ...marks, [mark]: false })
  }
}

const retrySeconds = 5

/** AWS was not asked for the write yet, so whoever sent it may simply send it again. */
const toWriteError = (error: ApiError): ApiError => {
  if (error.statusCode < 500) return error
  const seconds = error.headers['retry-after'] ?? String(retrySeconds)
  return CloudSessionUnavailable(`Nothing was sent: STS gave no session for it. ${error.message}`,
    { ...error.members, reason: error.code, retry_after: Number(seconds) }).withHeaders({ 'retry-after': seconds })
}

const allMarks: SessionMarks = { tags: true, source_identity: true }

/**
 * @returns a source of the keys of one write. Where the role's trust policy does not allow tags or a source identity,
 * the session goes without them
 * @throws cloud_session_unavailable where STS did not answer, cloud_account_unusable where it refused
 */
export const assumeForWrite = (session: WriteSession, sts: () => Promise<STS>): KeySource => async () => {
  const known = session.marks ?? allMarks
  const { keys, marks } = await assumeMarked(session, sts, known)
  const isNews = session.marks === null || marks.tags !== known.tags || marks.source_identity !== known.source_identity
  if (isNews) await session.onMarks(marks)
  return keys
}
