import type { FastifyInstance } from 'fastify'
import { updateAccount, type AccountChange, type AccountRow } from '../../../../db/cloud/accounts.js'
import type { CloudAuthInput, UpdateCloudAccount } from '../../../../schemas/cloud/accounts.js'
import { parseRegions } from './parse-regions.js'
import { nameTaken } from './create-account.js'
import { CloudAccountMismatch } from '../errors.js'
import { staleRevision } from './find-account.js'
import { mayBeAmbient, readAuth } from './read-auth.js'

type Deps = Pick<FastifyInstance, 'db' | 'secrets' | 'aws' | 'home' | 'sandbox'>

/** Verifies new credentials with STS, so that bad ones never replace good ones. @returns the account's number */
const verifyCredentials = async (app: Deps, account: AccountRow, change: AccountChange): Promise<string | null> => {
  const candidate: AccountRow = { ...account, ...change }
  if (candidate.auth.type === 'assume_role' && candidate.auth.role_arn === null) return account.aws_account_id
  const sts = await app.aws.client('sts', candidate, candidate.default_region)
  const { Account: number = null } = await sts.getCallerIdentity({})
  if (account.aws_account_id !== null && number !== account.aws_account_id) {
    throw CloudAccountMismatch(`The new credentials belong to AWS account ${number}, not ${account.aws_account_id}`)
  }
  return number
}

const newCredentials = async (app: Deps, account: AccountRow, input: CloudAuthInput,
  region: string): Promise<AccountChange> => {
  const { auth, secret } = readAuth(input, mayBeAmbient(app, account), account.auth)
  const context = `cloud_account|${account.id}|secret`
  const change: AccountChange = {
    auth,
    secret: secret === null ? null : app.secrets.encrypt(context, secret),
    default_region: region,
    credential_version: account.credential_version + 1,
    status: 'unverified',
    session_marks: null
  }
  try {
    return { ...change, aws_account_id: await verifyCredentials(app, account, change) }
  } finally {
    // A refused attempt must not leave its clients under the version that the next attempt gets.
    app.aws.forget(account)
  }
}

/**
 * Changes an account. New credentials are tried first; when they do not work, the old ones stay.
 * @throws cloud_account_unusable, cloud_account_mismatch, region_unknown, cloud_account_name_taken, stale_revision
 */
export const changeAccount = async (app: Deps, account: AccountRow, input: UpdateCloudAccount): Promise<AccountRow> => {
  const regions = input.regions ?? account.regions
  const kept = regions.includes(account.default_region) ? account.default_region : regions[0] ?? ''
  const region = input.default_region ?? kept
  const change: AccountChange = {
    ...(input.name !== undefined && { name: input.name.trim() }),
    regions,
    default_region: region,
    partition: parseRegions(regions, region),
    ...(input.environment !== undefined && { environment: input.environment }),
    ...(input.read_only !== undefined && { read_only: input.read_only }),
    ...(input.disabled !== undefined && { status: input.disabled ? 'disabled' : 'unverified' }),
    ...(input.auth && await newCredentials(app, account, input.auth, region))
  }
  const changed = await updateAccount(app.db, account.workspace_id, account.id, account.revision, change)
    .catch(nameTaken)
  if (!changed) throw staleRevision(account)
  // A new name needs no new clients.
  if (Object.keys(input).some((key) => key !== 'name')) app.aws.forget(account)
  return changed
}
