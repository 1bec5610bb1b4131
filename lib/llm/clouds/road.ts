import type { BaseAnthropic } from '@anthropic-ai/sdk/client'
import type { APIError } from '@anthropic-ai/sdk'

/** How models are reached that a cloud serves. */
export interface Road {
  /** @param apiKey of a workspace or of the installation; undefined = by the credentials of this process */
  clientFor: (apiKey: string | undefined) => BaseAnthropic
  /** @returns whether the refusal says that credentials have expired which were good before */
  hasExpired: (error: APIError) => boolean
  /** Forgets the credentials that are held: the next call looks for them again. */
  renew: () => void
}

/** Where the cloud is asked; every cloud reads of it what it needs. */
export interface CloudOptions {
  /** Instead of the cloud's own address. */
  baseURL: string | undefined
  region: string
  /** Of Google Cloud. */
  project: string
  /** Of AWS, assumed by the credentials of this process. */
  role?: { arn: string, externalId: string, endpoint: string | undefined } | undefined
  /** Of Google Cloud, instead of what its library finds. */
  serviceAccount?: { client_email: string, private_key: string } | undefined
}

/** What every client has: repetitions and time-outs are ours, and nothing is written into a log or a trace. */
export const common = { maxRetries: 0, timeout: 3_600_000, logLevel: 'off', openTelemetry: false } as const
