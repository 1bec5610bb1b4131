import { randomBytes } from 'node:crypto'
import type { ActingAws } from '../../../../plugins/aws.js'
import type { AccountRow } from '../../../../db/cloud/accounts.js'
import type { AccountCheck } from '../../../../schemas/cloud/account-test.js'
import type { CapabilityName } from '../../../../schemas/cloud/accounts.js'
import { ApiError } from '../../../../schemas/errors.js'
import { awsDetailOf } from '../../../../lib/aws/errors.js'

/** One action to try. `infers`: AWS's refusal of the arguments shows that the action itself is allowed. */
export interface Probe {
  action: string
  capability: CapabilityName | null
  region: string
  infers?: boolean
  resource?: string
}

export interface Findings { checks: AccountCheck[], denials: { check: AccountCheck, error: ApiError }[] }

/** With what, and where, a probe calls AWS. */
export interface ProbeTarget {
  aws: ActingAws
  account: AccountRow
  region: string
  findings: Findings
  /** The resource that every write of a probe names; it does not exist. */
  unknownId: string
  /** The number of the AWS account, as STS returned it. */
  number: string
}

/**
 * Well formed, so that AWS checks the permission before it looks for the resource; 128 random bits, so that no
 * resource has the name. An endpoint that ignores DryRun, or that skips its checks, has nothing of this name to change.
 */
export const makeUnknownId = (): string => `steward-probe-${randomBytes(16).toString('hex')}`

const otherRefusals = new Set(['aws_rejected', 'aws_resource_not_found', 'aws_conflict'])

const checkOf = ({ action, capability, region, resource }: Probe, rest: Partial<AccountCheck>): AccountCheck => ({
  id: `${region}/${action}`,
  action,
  capability,
  region,
  outcome: 'skipped',
  resource: resource ?? null,
  detail: null,
  aws_code: null,
  aws_request_id: null,
  ...rest
})

/** An endpoint that does not know the operation has not looked at the permission. */
const unknownOperation = /^(UnknownOperation|InvalidAction|UnknownService|NotImplemented)/

/** Only a refusal is "denied": a time-out or a disabled region says nothing of permissions. */
const outcomeOf = (error: ApiError, infers: boolean): AccountCheck['outcome'] => {
  if (error.code === 'aws_permission_denied') return 'denied'
  const aws = awsDetailOf(error)
  return infers && otherRefusals.has(error.code) && !unknownOperation.test(aws.code ?? '') ? 'inferred' : 'error'
}

/** Records an action that was not tried, and why. */
export const skip = (findings: Findings, probe: Probe, detail: string): undefined => {
  findings.checks.push(checkOf(probe, { outcome: 'skipped', detail }))
  return undefined
}

const detailOf = (outcome: AccountCheck['outcome'], { resource }: Probe, error: ApiError): string => {
  if (outcome === 'inferred') return 'AWS refused the probe for another reason than permission'
  if (outcome !== 'denied' || resource === undefined) return error.message
  return `${error.message} It was tried on ${resource}, which does not exist: a policy that names its resources may ` +
    'allow it on those'
}

/** Tries one action. @returns what AWS answered; undefined when it did not */
export const attempt = async <T>(findings: Findings, probe: Probe, run: () => Promise<T>): Promise<T | undefined> => {
  try {
    const answer = await run()
    findings.checks.push(checkOf(probe, { outcome: 'allowed' }))
    return answer
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const aws = awsDetailOf(error)
    const outcome = outcomeOf(error, probe.infers ?? false)
    const check = checkOf(probe, {
      outcome,
      detail: detailOf(outcome, probe, error),
      aws_code: aws.code ?? null,
      aws_request_id: aws.request_id ?? null
    })
    findings.checks.push(check)
    if (outcome === 'denied') findings.denials.push({ check, error })
    return undefined
  }
}
