import type { STS } from '@aws-sdk/client-sts'
import { AccountUnusable } from '../../schemas/cloud/errors.js'
import { redact } from './errors.js'

export interface Keys {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
  expiration?: Date
}

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
  /** Shown by CloudTrail. */
  session_name: string
}

const reasons = 'Check that the role\'s trust policy names the identity that Steward runs as, that its condition ' +
  'holds the ExternalId of this account, and that Steward\'s identity may call sts:AssumeRole on the role'

const unusable = (role: AssumedRole, error: { name?: string, message?: string }) =>
  AccountUnusable(`${role.role_arn} could not be assumed: ${redact(error.message ?? error.name ?? '')} ${reasons}`,
    { account_id: role.account_id, checks: ['trust_policy', 'external_id', 'sts:AssumeRole'] })

const assumeErrors = /^(AccessDenied|ExpiredToken|InvalidClientTokenId|SignatureDoesNotMatch|Validation|RegionDisabled)/

/** @returns a source that assumes the role with the server-made ExternalId */
export const assumeRole = (role: AssumedRole, sts: () => Promise<STS>): KeySource => async () => {
  if (role.role_arn === null) throw AccountUnusable('The account has no role_arn yet', { account_id: role.account_id })
  const client = await sts()
  try {
    const { Credentials: keys } = await client.assumeRole({
      RoleArn: role.role_arn,
      RoleSessionName: role.session_name,
      ExternalId: role.external_id,
      DurationSeconds: role.session_seconds
    })
    if (!keys?.AccessKeyId || !keys.SecretAccessKey) throw unusable(role, { message: 'STS answered without keys.' })
    return {
      accessKeyId: keys.AccessKeyId,
      secretAccessKey: keys.SecretAccessKey,
      ...(keys.SessionToken && { sessionToken: keys.SessionToken }),
      ...(keys.Expiration && { expiration: keys.Expiration })
    }
  } catch (error) {
    if (error instanceof Error && assumeErrors.test(error.name)) throw unusable(role, error)
    throw error
  } finally {
    client.destroy()
  }
}
