import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Identity } from '../../schemas/account/identities.js'
import type { IdentityRule } from '../../schemas/account/identity-providers.js'
import { now } from '../clock.js'
import { next, anyOf } from '../columns.js'
import { duplicateOf } from '../connection-errors.js'
import type { Db } from '../index.js'
import type { Role } from '../types.js'
import './identity-tables.js'

const identityProviderColumns = ['workspace_id', 'id', 'name', 'issuer', 'client_id', 'secret', 'scopes', 'domains', 'groups_claim',
  'rules', 'just_in_time', 'joins_by_email', 'role', 'check_minutes', 'grace_minutes', 'enabled', 'revision',
  'created_at', 'updated_at'] as const

export const listProviders = (db: Db, workspaceId: string) =>
  db.selectFrom('account_identity_provider').select(identityProviderColumns)
    .where('workspace_id', '=', workspaceId).orderBy('id').execute()

export const findProvider = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('account_identity_provider').select(identityProviderColumns)
    .where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()

export type ProviderRow = NonNullable<Awaited<ReturnType<typeof findProvider>>>

/** @returns whether an error says that a provider of the workspace has the issuer */
export const isDuplicateIssuer = duplicateOf('account_identity_provider_issuer')

export const newProviderId = (): string => uuid()

export interface ProviderValues {
  name: string
  client_id: string
  secret: Buffer | null
  scopes: string[]
  domains: string[]
  groups_claim: string | null
  rules: IdentityRule[]
  just_in_time: boolean
  joins_by_email: boolean
  role: Role
  check_minutes: number
  grace_minutes: number
  enabled: boolean
}

const stored = ({ scopes, domains, rules, ...values }: Partial<ProviderValues>) => ({
  ...values,
  ...(scopes && { scopes: JSON.stringify(scopes) }),
  ...(domains && { domains: JSON.stringify(domains) }),
  ...(rules && { rules: JSON.stringify(rules) })
})

interface NewProvider extends ProviderValues { id: string, issuer: string, created_by: string }

/** @throws as isDuplicateIssuer */
export const insertProvider = async (db: Db, workspaceId: string, provider: NewProvider): Promise<void> => {
  const { scopes, domains, rules } = provider
  const lists = { scopes: JSON.stringify(scopes), domains: JSON.stringify(domains), rules: JSON.stringify(rules) }
  await db.insertInto('account_identity_provider').values({ ...provider, ...lists, workspace_id: workspaceId })
    .execute()
}

/** @returns whether there was one at one of these revisions */
export const updateProvider = async (db: Db, workspaceId: string, id: string, change: Partial<ProviderValues>,
  revisions?: number[]): Promise<boolean> =>
  await db.updateTable('account_identity_provider')
    .set({ ...stored(change), revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id)
    .$if(revisions !== undefined, (query) => query.where('revision', '=', anyOf(revisions ?? [])))
    .returning('id').executeTakeFirst() !== undefined

/** With its identities; the people stay. @returns whether there was one */
export const deleteProvider = async (db: Db, workspaceId: string, id: string): Promise<boolean> =>
  await db.deleteFrom('account_identity_provider').where('workspace_id', '=', workspaceId).where('id', '=', id)
    .returning('id').executeTakeFirst() !== undefined

/** The secret cannot be opened any more: nobody signs in with the provider until it is entered again. */
export const forgetProviderSecret = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  await db.updateTable('account_identity_provider').set({ secret: null, enabled: false })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

const identityColumns = ['id', 'provider_id', 'user_id', 'issuer', 'subject', 'joined_by', 'rule_role', 'own_role',
  'groups'] as const

/** @returns whose the subject of the issuer is in the workspace */
export const findIdentity = (db: Db, workspaceId: string, issuer: string, subject: string) =>
  db.selectFrom('account_identity').select(identityColumns)
    .where('workspace_id', '=', workspaceId).where('issuer', '=', issuer).where('subject', '=', subject)
    .executeTakeFirst()

export type IdentityRow = NonNullable<Awaited<ReturnType<typeof findIdentity>>>

export const findIdentityById = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('account_identity').select(identityColumns)
    .where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()

/** @returns whether the person has an account of some provider already */
export const hasIdentity = async (db: Db, workspaceId: string, userId: string): Promise<boolean> =>
  await db.selectFrom('account_identity').select('id')
    .where('workspace_id', '=', workspaceId).where('user_id', '=', userId).limit(1).executeTakeFirst() !== undefined

interface NewIdentity {
  provider_id: string
  user_id: string
  issuer: string
  subject: string
  email: string | null
  joined_by: IdentityRow['joined_by']
  rule_role: Role | null
}

export const insertIdentity = (db: Db, workspaceId: string, identity: NewIdentity): Promise<IdentityRow> =>
  db.insertInto('account_identity').values({ ...identity, workspace_id: workspaceId, id: uuid(), groups: '[]' })
    .returning(identityColumns).executeTakeFirstOrThrow()

interface IdentityChange { email?: string | null, rule_role?: Role | null, own_role?: Role | null, groups?: string[] }

export const updateIdentity = async (db: Db, workspaceId: string, id: string, { groups, ...change }: IdentityChange):
Promise<void> => {
  await db.updateTable('account_identity').set({ ...change, ...(groups && { groups: JSON.stringify(groups) }) })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Signing in with it happened now. */
export const touchIdentity = async (db: Db, workspaceId: string, id: string, email: string | null): Promise<void> => {
  await db.updateTable('account_identity').set({ email, last_sign_in_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** @returns who the person is at providers, with the groups that are still there */
export const listIdentities = (db: Db, workspaceId: string, userId: string): Promise<Identity[]> =>
  db.selectFrom('account_identity as i')
    .innerJoin('account_identity_provider as p', (join) => join
      .onRef('p.workspace_id', '=', 'i.workspace_id').onRef('p.id', '=', 'i.provider_id'))
    .select(['i.id', 'i.provider_id', 'p.name as provider', 'i.issuer', 'i.subject', 'i.email', 'i.joined_by',
      'i.rule_role', 'i.last_sign_in_at'])
    .select(sql<Identity['groups']>`coalesce((
      select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by g.name, g.id) from account_group g
      where g.workspace_id = ${workspaceId} and i.groups::jsonb ? g.id::text), '[]')`.as('groups'))
    .where('i.workspace_id', '=', workspaceId).where('i.user_id', '=', userId).orderBy('i.id').execute()

/** @returns whether the person had it */
export const deleteIdentity = async (db: Db, workspaceId: string, userId: string, id: string): Promise<boolean> =>
  await db.deleteFrom('account_identity')
    .where('workspace_id', '=', workspaceId).where('user_id', '=', userId).where('id', '=', id)
    .returning('id').executeTakeFirst() !== undefined

/** @returns of these groups, those that the workspace has */
export const listKnownGroups = async (db: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> =>
  (await db.selectFrom('account_group').select('id').where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`).orderBy('id').execute()).map(({ id }) => id)

/** @returns whether the person was not in the group before */
export const addMember = async (db: Db, workspaceId: string, groupId: string, userId: string): Promise<boolean> =>
  await db.insertInto('account_group_member')
    .values({ workspace_id: workspaceId, group_id: groupId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing()).returning('user_id').executeTakeFirst() !== undefined

export const removeMember = async (db: Db, workspaceId: string, groupId: string, userId: string): Promise<void> => {
  await db.deleteFrom('account_group_member')
    .where('workspace_id', '=', workspaceId).where('group_id', '=', groupId).where('user_id', '=', userId).execute()
}

/** @returns the person here who has the address, whatever its case, and is active */
export const findByEmail = (db: Db, workspaceId: string, email: string) =>
  db.selectFrom('account_user').select(['id', 'role', 'status'])
    .where('workspace_id', '=', workspaceId).where(sql<boolean>`lower(email) = lower(${email})`)
    .orderBy('id').executeTakeFirst()
