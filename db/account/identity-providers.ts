import './identity-tables.js'
import { v7 as uuid } from 'uuid'
import type { IdentityRule } from '../../schemas/account/identity-providers.js'
import { now } from '../clock.js'
import { next } from '../columns.js'
import { duplicateOf } from '../duplicates.js'
import { anyOf } from '../filters.js'
import type { Db } from '../index.js'
import type { Role } from '../types.js'

const columns = ['workspace_id', 'id', 'name', 'issuer', 'client_id', 'secret', 'scopes', 'domains', 'groups_claim',
  'rules', 'just_in_time', 'joins_by_email', 'role', 'check_minutes', 'grace_minutes', 'enabled', 'revision',
  'created_at', 'updated_at'] as const

export const listProviders = (db: Db, workspaceId: string) =>
  db.selectFrom('account_identity_provider').select(columns)
    .where('workspace_id', '=', workspaceId).orderBy('id').execute()

export const findProvider = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('account_identity_provider').select(columns)
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
