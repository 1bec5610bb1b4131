import { sql, type Generated } from 'kysely'
import type { PolicyExample, ReplayCounts } from '../../schemas/account/policies.js'
import { now } from '../clock.js'
import { next, anyOf } from '../columns.js'
import type { Db } from '../index.js'
import { announcePolicies } from '../policies-channel.js'
import type { Json, NullableJson, NullableTime, Time } from '../types.js'

/** What an admin writes before it is enabled. */
export interface AccountPolicyDraftTable {
  workspace_id: string
  text: string
  examples: Json<PolicyExample[]>
  /** Ids of the groups that the text names, as they were when it was saved: a group that is renamed stays meant. */
  groups: Json<Record<string, string>>
  digest: string
  revision: Generated<number>
  /** Which draft was replayed last. */
  replayed_digest: string | null
  replayed_at: NullableTime
  replay: NullableJson<ReplayCounts>
  updated_by: string
  updated_at: Time
}

/** A set that was enabled; the newest holds. */
export interface AccountPolicyVersionTable {
  workspace_id: string
  version: number
  text: string
  examples: Json<PolicyExample[]>
  groups: Json<Record<string, string>>
  digest: string
  replay: Json<ReplayCounts>
  enabled_by: string
  enabled_at: Time
}

declare module '../types.js' {
  interface Database {
    account_policy_draft: AccountPolicyDraftTable
    account_policy_version: AccountPolicyVersionTable
  }
}

const draftColumns = ['text', 'examples', 'groups', 'digest', 'revision', 'replayed_digest', 'replayed_at', 'replay',
  'updated_by', 'updated_at'] as const

const versionColumns =
  ['version', 'text', 'examples', 'groups', 'digest', 'replay', 'enabled_by', 'enabled_at'] as const

export const findDraft = (db: Db, workspaceId: string) =>
  db.selectFrom('account_policy_draft').select(draftColumns).where('workspace_id', '=', workspaceId).executeTakeFirst()

export type DraftRow = NonNullable<Awaited<ReturnType<typeof findDraft>>>

/** @returns the draft, which stays as it is until the transaction ends */
export const lockDraft = (trx: Db, workspaceId: string): Promise<DraftRow | undefined> =>
  trx.selectFrom('account_policy_draft').select(draftColumns).where('workspace_id', '=', workspaceId)
    .forUpdate().executeTakeFirst()

/** @returns the newest version, which holds; undefined when none was ever enabled */
export const findEnabled = (db: Db, workspaceId: string) =>
  db.selectFrom('account_policy_version').select(versionColumns).where('workspace_id', '=', workspaceId)
    .orderBy('version', 'desc').limit(1).executeTakeFirst()

/** @returns the version that was enabled last; 0 = none ever was */
export const findEnabledVersion = async (db: Db, workspaceId: string): Promise<number> => {
  const row = await db.selectFrom('account_policy_version').select(({ fn }) => fn.max('version').as('version'))
    .where('workspace_id', '=', workspaceId).executeTakeFirst()
  return row?.version ?? 0
}

export type VersionRow = NonNullable<Awaited<ReturnType<typeof findEnabled>>>

export const findVersion = (db: Db, workspaceId: string, version: number): Promise<VersionRow | undefined> =>
  db.selectFrom('account_policy_version').select(versionColumns)
    .where('workspace_id', '=', workspaceId).where('version', '=', version).executeTakeFirst()

/** @returns versions before the given one, newest first */
export const listVersions = (db: Db, workspaceId: string, before: number | undefined, limit: number):
Promise<VersionRow[]> =>
  db.selectFrom('account_policy_version').select(versionColumns).where('workspace_id', '=', workspaceId)
    .$if(before !== undefined, (query) => query.where('version', '<', before ?? 0))
    .orderBy('version', 'desc').limit(limit).execute()

export interface NewDraft {
  text: string
  examples: PolicyExample[]
  groups: Record<string, string>
  digest: string
  updated_by: string
}

/** The revision of a workspace that has no draft yet. */
export const noDraftRevision = 1

/** @returns false when none of these revisions is current */
export const saveDraft = async (db: Db, workspaceId: string, draft: NewDraft, revisions: number[] | undefined):
Promise<boolean> => {
  const columns = { ...draft, examples: JSON.stringify(draft.examples), groups: JSON.stringify(draft.groups) }
  const changed = await db.updateTable('account_policy_draft')
    .set({ ...columns, updated_at: now, revision: next('revision') }).where('workspace_id', '=', workspaceId)
    .$if(revisions !== undefined, (query) => query.where('revision', '=', anyOf(revisions ?? [])))
    .returning('revision').executeTakeFirst()
  if (changed) return true
  if (revisions && !revisions.includes(noDraftRevision)) return false
  const { numInsertedOrUpdatedRows } = await db.insertInto('account_policy_draft')
    .values({ workspace_id: workspaceId, ...columns, revision: noDraftRevision + 1 })
    .onConflict((conflict) => conflict.doNothing()).executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Keeps what a replay said, unless the draft has changed meanwhile. @returns whether it is still that draft */
export const saveReplay = async (db: Db, workspaceId: string, digest: string, counts: ReplayCounts):
Promise<boolean> => {
  const { numUpdatedRows } = await db.updateTable('account_policy_draft')
    .set({ replayed_digest: digest, replayed_at: now, replay: JSON.stringify(counts) })
    .where('workspace_id', '=', workspaceId).where('digest', '=', digest).executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Enables a locked draft as the next version, and notifies every instance at the commit. @returns the version */
export const insertVersion = async (trx: Db, workspaceId: string, draft: DraftRow, replay: ReplayCounts,
  enabledBy: string): Promise<number> => {
  const version = (await findEnabled(trx, workspaceId))?.version ?? 0
  await trx.insertInto('account_policy_version').values({
    workspace_id: workspaceId,
    version: version + 1,
    text: draft.text,
    examples: JSON.stringify(draft.examples),
    groups: JSON.stringify(draft.groups),
    digest: draft.digest,
    replay: JSON.stringify(replay),
    enabled_by: enabledBy
  }).execute()
  await announcePolicies(trx, workspaceId)
  return version + 1
}

/** @returns the ids of the workspace's groups, by their names in lower case */
export const listGroupNames = async (db: Db, workspaceId: string): Promise<Map<string, string>> => {
  const rows = await db.selectFrom('account_group').select(['id', 'name']).where('workspace_id', '=', workspaceId)
    .execute()
  return new Map(rows.map(({ id, name }): [string, string] => [name.toLowerCase(), id]))
}

/** @returns the newest enabled version, the person's groups and the time, as the database has them at this moment */
export const findJudging = async (db: Db, workspaceId: string, userId: string) => {
  const version = db.selectFrom('account_policy_version').select(({ fn }) => fn.max('version').as('version'))
    .where('workspace_id', '=', workspaceId)
  const groups = db.selectFrom('account_group_member').select(sql<string>`string_agg(group_id::text, ',')`.as('ids'))
    .where('workspace_id', '=', workspaceId).where('user_id', '=', userId)
  const row = await db.selectNoFrom([version.as('version'), groups.as('groups'),
    sql<Date>`statement_timestamp()`.as('now')]).executeTakeFirstOrThrow()
  return { version: row.version ?? 0, groups: row.groups?.split(',').toSorted() ?? [], now: row.now }
}

/** @returns the roles of people, by their ids */
export const listRoles = async (db: Db, workspaceId: string): Promise<Map<string, string>> => {
  const rows = await db.selectFrom('account_user').select(['id', 'role']).where('workspace_id', '=', workspaceId)
    .execute()
  return new Map(rows.map(({ id, role }): [string, string] => [id, role]))
}

/** @returns by person, the ids of the groups that they are in now */
export const listMemberships = async (db: Db, workspaceId: string): Promise<Map<string, string[]>> => {
  const rows = await db.selectFrom('account_group_member').select(['user_id', 'group_id'])
    .where('workspace_id', '=', workspaceId).orderBy('group_id').execute()
  const found = new Map<string, string[]>()
  for (const { user_id: user, group_id: group } of rows) found.set(user, [...found.get(user) ?? [], group])
  return found
}
