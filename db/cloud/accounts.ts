import { sql, type Updateable } from 'kysely'
import type { AccountStatus, Capabilities, StoredAuth, SessionMarks, Partition } from '../../schemas/cloud/accounts.js'
import { now } from '../clock.js'
import { next, anyOf } from '../columns.js'
import { duplicateOf, isReferenceKept } from '../connection-errors.js'
import type { Db } from '../index.js'
import type { CloudAccountTable } from './tables.js'

const columns = ['workspace_id', 'id', 'name', 'provider', 'aws_account_id', 'partition', 'regions', 'default_region',
  'auth', 'secret', 'status', 'capabilities', 'last_test', 'credential_version', 'sandbox', 'environment',
  'read_only', 'session_marks', 'revision', 'created_by',
  'created_at', 'updated_at'] as const

/**
 * @param only these, and those of these environments; null = all
 * @returns the workspace's accounts by name, after the one that a page ended with
 */
export const listAccounts = (db: Db, workspaceId: string, limit = 1000, after?: { name: string, id: string },
  only: { cloud_accounts: string[], environments: string[] } | null = null) => {
  const all = db.selectFrom('cloud_account').select(columns).where('workspace_id', '=', workspaceId)
    .$if(only !== null, (query) => query.where(({ or, eb }) => or([
      eb('id', '=', anyOf(only?.cloud_accounts ?? [])), eb('environment', '=', anyOf(only?.environments ?? []))])))
  const rest = after
    ? all.where(({ eb, refTuple, tuple }) => eb(refTuple('name', 'id'), '>', tuple(after.name, after.id)))
    : all
  return rest.orderBy('name').orderBy('id').limit(limit).execute()
}

export const findAccount = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('cloud_account').select(columns)
    .where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()

/** What an account is for, and whether anything may be changed through it. */
export const listMarks = (db: Db, workspaceId: string, ids: readonly string[]) =>
  db.selectFrom('cloud_account').select(['id', 'environment', 'read_only']).where('workspace_id', '=', workspaceId)
    .where('id', '=', anyOf(ids)).execute()

/** A row with everything that the clients of its account need. */
export type AccountRow = NonNullable<Awaited<ReturnType<typeof findAccount>>>

export interface NewAccount {
  id: string
  name: string
  aws_account_id: string | null
  partition: Partition
  regions: string[]
  default_region: string
  auth: StoredAuth
  secret: Buffer | null
  sandbox: boolean
  environment?: string | null
  read_only?: boolean
  created_by: string | null
}

/** @returns whether an error says that an account of the workspace has the name */
export const isDuplicateAccountName = duplicateOf('cloud_account_name')

/** @throws as isDuplicateAccountName */
export const insertAccount = (db: Db, workspaceId: string, account: NewAccount) =>
  db.insertInto('cloud_account').values({
    ...account,
    workspace_id: workspaceId,
    provider: 'aws',
    regions: JSON.stringify(account.regions),
    auth: JSON.stringify(account.auth),
    status: 'unverified',
    capabilities: '{}'
  }).returning(columns).executeTakeFirstOrThrow()

export interface AccountChange {
  name?: string
  partition?: Partition
  regions?: string[]
  default_region?: string
  auth?: StoredAuth
  secret?: Buffer | null
  aws_account_id?: string | null
  status?: AccountStatus
  credential_version?: number
  environment?: string | null
  read_only?: boolean
  /** null: new credentials, of whose trust policy nothing is known. */
  session_marks?: null
}

const toColumns = ({ regions, auth, ...rest }: AccountChange): Updateable<CloudAccountTable> => ({
  ...rest,
  ...(regions && { regions: JSON.stringify(regions) }),
  ...(auth && { auth: JSON.stringify(auth) })
})

/** @returns the changed row; undefined when it is no longer at that revision */
export const updateAccount = (db: Db, workspaceId: string, id: string, revision: number, change: AccountChange) =>
  db.updateTable('cloud_account')
    .set({ ...toColumns(change), revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('revision', '=', revision)
    .returning(columns).executeTakeFirst()

/** Keeps what a test found; it belongs to the credentials that were tested, not to newer ones. */
export const saveTest = (db: Db, workspaceId: string, id: string, credentialVersion: number, found: {
  aws_account_id: string | null, status: AccountStatus, capabilities: Capabilities, last_test: object
}) => db.updateTable('cloud_account')
  .set({
    ...found,
    aws_account_id: sql`coalesce(${found.aws_account_id}::text, aws_account_id)`,
    capabilities: JSON.stringify(found.capabilities),
    last_test: JSON.stringify(found.last_test)
  })
  .where('workspace_id', '=', workspaceId).where('id', '=', id).where('credential_version', '=', credentialVersion)
  .execute()

/** Keeps what the trust policy of the role lets Steward write on sessions, as these credentials found it. */
export const saveSessionMarks = async (db: Db,
  { workspace_id: workspaceId, id, credential_version: version }: Pick<AccountRow, 'workspace_id' | 'id' |
    'credential_version'>, marks: SessionMarks): Promise<void> => {
  await db.updateTable('cloud_account').set({ session_marks: JSON.stringify(marks) })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('credential_version', '=', version).execute()
}

/** Keeps the AWS account number that an identity call found. */
export const saveIdentity = (db: Db, workspaceId: string, id: string, awsAccountId: string) =>
  db.updateTable('cloud_account').set({ aws_account_id: awsAccountId })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

/** @returns whether an error says that something needs the account: whatever does refers to it by a foreign key */
export const isAccountNeeded = isReferenceKept

/** @returns whether there was one. @throws as isAccountNeeded */
export const deleteAccount = async (db: Db, workspaceId: string, id: string, revision: number): Promise<boolean> => {
  const gone = await db.deleteFrom('cloud_account').where('workspace_id', '=', workspaceId).where('id', '=', id)
    .where('revision', '=', revision).returning('id').executeTakeFirst()
  return gone !== undefined
}
