import type { FastifyInstance } from 'fastify'
import { findAccount, type AccountRow } from '../../../../db/cloud/accounts.js'
import { allow } from '../../../../lib/aws/session-policy.js'
import type { ActingAws } from '../../../../plugins/aws.js'
import type { Warning } from '../../../../schemas/cloud/account-test.js'
import { ApiError } from '../../../../schemas/errors.js'

/**
 * Opens a session as a write does, with everything that it says of itself; what the role's trust policy allows of that
 * is kept with the account.
 */
const openSession = async (aws: ActingAws, account: AccountRow): Promise<void> => {
  const location = { account: { ...account, session_marks: null }, region: account.default_region }
  await aws.write('sts', location, [allow('sts:GetCallerIdentity', '*')], (sts) => sts.getCallerIdentity({}))
}

/** A session of reads must not write. It is tried on a name that no resource has. */
const isPolicyIgnored = async (aws: ActingAws, account: AccountRow, unknownId: string): Promise<boolean> => {
  const ecs = await aws.client('ecs', account, account.default_region)
  try {
    await ecs.updateService({ cluster: unknownId, service: unknownId })
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.code === 'aws_resource_not_found'
  }
}

const unlessRefused = (error: unknown): void => {
  if (!(error instanceof ApiError)) throw error
}

/**
 * Tries what sessions may say of themselves, and whether AWS limits them.
 * @returns the account with what was found, and what its owner should know
 */
export const probeSessions = async ({ aws, db }: { aws: ActingAws } & Pick<FastifyInstance, 'db'>, account: AccountRow,
  unknownId: string): Promise<{ account: AccountRow, warnings: Warning[] }> => {
  if (account.auth.type !== 'assume_role' || account.read_only) return { account, warnings: [] }
  const [, isIgnored] = await Promise.all([
    openSession(aws, account).catch(unlessRefused),
    isPolicyIgnored(aws, account, unknownId)
  ])
  const found = await findAccount(db, account.workspace_id, account.id) ?? account
  const { tags = true, source_identity = true } = found.session_marks ?? {}
  const warnings: [boolean, Warning][] = [
    [!tags, 'session_tags_not_allowed'],
    [!source_identity, 'source_identity_not_allowed'],
    [isIgnored, 'session_policy_ignored']
  ]
  return { account: found, warnings: warnings.filter(([is]) => is).map(([, warning]) => warning) }
}
