import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { AccountRow } from '../../../db/cloud/accounts.js'
import type { Findings } from './probe.js'

/** What a probe asks with, and where. */
export interface ProbeTarget {
  aws: FastifyInstance['aws']
  account: AccountRow
  region: string
  findings: Findings
  /** What every write of a probe names. */
  nobody: string
  /** The number of the AWS account, as STS said it. */
  number: string
}

/**
 * Well formed, so that AWS looks at the permission before it misses the resource; 128 random bits, so that no resource
 * has the name. An endpoint that ignores DryRun, or that skips its checks, has nothing of this name to change.
 */
export const makeUnknownId = (): string => `steward-probe-${randomBytes(16).toString('hex')}`
