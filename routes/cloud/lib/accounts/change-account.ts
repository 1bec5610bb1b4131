import type { FastifyInstance } from 'fastify'
import { v7 as uuid } from 'uuid'
import {
  deleteAccount, isAccountNeeded, type AccountRow, findAccount, insertAccount, isDuplicateAccountName, updateAccount,
  type AccountChange
} from '../../../../db/cloud/accounts.js'
import { purgeAppsOf } from '../../../../db/deployments/apps.js'
import type { Db } from '../../../../db/index.js'
import { hasLiveDeployment } from '../../../../db/infrastructure/service-deployments.js'
import { deleteBindingsOn } from '../../../../lib/account/bindings.js'
import { newExternalId } from '../../../../lib/aws/sessions.js'
import {
  partitionOf, type Partition, type CloudAuthInput, type StoredAuth, type CreateCloudAccount, type UpdateCloudAccount
} from '../../../../schemas/cloud/accounts.js'
import { InvalidRequest } from '../../../../schemas/errors.js'
import { etag, readIfMatch, StaleRevision } from '../../../../schemas/revisions.js'
import { isOneOf } from '../../../../schemas/unknown.js'
import {
  CloudAccountInUse, CloudAccountNotFound, RegionUnknown, CloudAccountNameTaken, CloudAccountMismatch
} from '../errors.js'

/** @throws cloud_account_not_found also for an account of another workspace */
export const requireAccount = async (db: Db, workspaceId: string, id: string): Promise<AccountRow> => {
  const account = await findAccount(db, workspaceId, id)
  if (!account) throw CloudAccountNotFound()
  return account
}

/** @throws stale_revision with the current revision, when If-Match names another one */
export const requireRevision = (account: AccountRow, ifMatch: string | undefined) => {
  const accepted = readIfMatch(ifMatch)
  if (accepted && !accepted.includes(account.revision)) throw staleRevision(account)
}

const staleRevision = (account: AccountRow) =>
  StaleRevision(`The current revision is ${account.revision}`, { revision: account.revision })
    .withHeaders({ etag: etag(account.revision) })

const invalid = (pointer: string, message: string) =>
  RegionUnknown(`${pointer} ${message}`, { errors: [{ pointer, code: 'region_unknown', message }] })

/**
 * @returns the partition that all the regions are in
 * @throws region_unknown for a region that AWS does not have, for two partitions, or for a foreign default
 */
const parseRegions = (regions: string[], defaultRegion: string): Partition => {
  const found = regions.map((region, index) => {
    const partition = partitionOf(region)
    if (!partition) throw invalid(`/regions/${index}`, `${region} is not a region of AWS`)
    return partition
  })
  const [partition] = found
  if (!partition || found.some((one) => one !== partition)) throw invalid('/regions', 'must be of one partition')
  if (!regions.includes(defaultRegion)) throw invalid('/default_region', 'must be one of the regions')
  return partition
}

const fields = {
  assume_role: { allowed: ['role_arn', 'session_seconds'], required: [] },
  access_keys: { allowed: ['access_key_id', 'secret_access_key'], required: ['access_key_id', 'secret_access_key'] },
  ambient: { allowed: [], required: [] }
} as const

const invalidAuth = (name: string, code: string, message: string) =>
  InvalidRequest(`/auth/${name} ${message}`, { errors: [{ pointer: `/auth/${name}`, code, message }] })

const requireFields = (auth: CloudAuthInput) => {
  const { allowed, required } = fields[auth.type]
  for (const name of required) if (!(name in auth)) throw invalidAuth(name, 'required', `is needed with ${auth.type}`)
  const extra = Object.keys(auth).find((name) => name !== 'type' && !isOneOf(allowed, name))
  if (extra) throw invalidAuth(extra, 'not_allowed', `does not go with ${auth.type}`)
}

export interface ReadAuth {
  auth: StoredAuth
  /** The key pair as JSON, to be encrypted. */
  secret: string | null
  aws_account_id: string | null
}

/** Steward's own identity is the installation's: no other workspace acts as it. In the sandbox all may. */
const mayBeAmbient = ({ home, sandbox }: Pick<FastifyInstance, 'home' | 'sandbox'>,
  owner: { workspace_id: string }): boolean => owner.workspace_id === home.workspace_id || sandbox.aws !== undefined

/**
 * @param ambient whether the workspace may use the identity of Steward itself
 * @param held what the account has now: its ExternalId stays, since the role's trust policy names it
 * @throws invalid_request with a pointer when the fields do not fit the type
 */
const readAuth = (auth: CloudAuthInput, ambient: boolean, held?: StoredAuth): ReadAuth => {
  requireFields(auth)
  if (auth.type === 'ambient' && !ambient) throw invalidAuth('type', 'not_allowed', 'is of the first workspace alone')
  if (auth.type === 'ambient') return { auth: { type: 'ambient' }, secret: null, aws_account_id: null }
  if (auth.type === 'assume_role') return readRole(auth, held?.type === 'assume_role' ? held : undefined)
  const { access_key_id: accessKeyId = '', secret_access_key: secretAccessKey } = auth
  return {
    auth: { type: 'access_keys', access_key_id_hint: accessKeyId.slice(-4), rotated_at: new Date().toISOString() },
    secret: JSON.stringify({ accessKeyId, secretAccessKey }),
    aws_account_id: null
  }
}

const readRole = (auth: CloudAuthInput, held: Extract<StoredAuth, { type: 'assume_role' }> | undefined): ReadAuth => {
  const role = auth.role_arn ?? held?.role_arn ?? null
  return {
    auth: {
      type: 'assume_role',
      role_arn: role,
      external_id: held?.external_id ?? newExternalId(),
      session_seconds: auth.session_seconds ?? held?.session_seconds ?? 3600
    },
    secret: null,
    aws_account_id: role?.split(':')[4] ?? null
  }
}

type Deps = Pick<FastifyInstance, 'db' | 'secrets' | 'home' | 'sandbox'>

/** @throws cloud_account_name_taken for a duplicate name; any other error unchanged */
const nameTaken = (error: unknown): never => {
  throw isDuplicateAccountName(error) ? CloudAccountNameTaken() : error
}

/** Registers an account; its credentials are not used before its first test or read. */
export const createAccount = async (app: Deps, owner: { workspace_id: string, user_id: string },
  input: CreateCloudAccount): Promise<AccountRow> => {
  const id = uuid()
  const defaultRegion = input.default_region ?? input.regions[0] ?? ''
  const partition = parseRegions(input.regions, defaultRegion)
  const { auth, secret, aws_account_id: number } = readAuth(input.auth, mayBeAmbient(app, owner))
  return insertAccount(app.db, owner.workspace_id, {
    id,
    name: input.name.trim(),
    aws_account_id: number,
    partition,
    regions: input.regions,
    default_region: defaultRegion,
    auth,
    secret: secret === null ? null : app.secrets.encrypt(`cloud_account|${id}|secret`, secret),
    sandbox: false,
    environment: input.environment ?? null,
    read_only: input.read_only ?? false,
    created_by: owner.user_id
  }).catch(nameTaken)
}

type UpdateAccountDeps = Pick<FastifyInstance, 'db' | 'secrets' | 'aws' | 'home' | 'sandbox'>

/** Verifies new credentials with STS, so that bad ones never replace good ones. @returns the account's number */
const verifyCredentials = async (app: UpdateAccountDeps, account: AccountRow, change: AccountChange): Promise<string | null> => {
  const candidate: AccountRow = { ...account, ...change }
  if (candidate.auth.type === 'assume_role' && candidate.auth.role_arn === null) return account.aws_account_id
  const sts = await app.aws.client('sts', candidate, candidate.default_region)
  const { Account: number = null } = await sts.getCallerIdentity({})
  if (account.aws_account_id !== null && number !== account.aws_account_id) {
    throw CloudAccountMismatch(`The new credentials belong to AWS account ${number}, not ${account.aws_account_id}`)
  }
  return number
}

const newCredentials = async (app: UpdateAccountDeps, account: AccountRow, input: CloudAuthInput,
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
export const changeAccount = async (app: UpdateAccountDeps, account: AccountRow, input: UpdateCloudAccount): Promise<AccountRow> => {
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

const inUse = (error: unknown): never => {
  throw isAccountNeeded(error) ? CloudAccountInUse() : error
}

/** @throws cloud_account_in_use while apps or deployments need it; stale_revision when it has just changed */
export const removeAccount = async (app: Pick<FastifyInstance, 'db' | 'aws'>, account: AccountRow): Promise<void> => {
  if (await hasLiveDeployment(app.db, account.workspace_id, account.id)) {
    throw CloudAccountInUse('A deployment of a service in this account is live')
  }
  await app.db.transaction().execute(async (trx) => {
    // What was deleted needs the account no more.
    await deleteBindingsOn(trx, account.workspace_id, 'cloud_account', account.id)
    await purgeAppsOf(trx, account.workspace_id, account.id)
    if (!await deleteAccount(trx, account.workspace_id, account.id, account.revision)) throw staleRevision(account)
  }).catch(inUse)
  app.aws.forget(account)
}
