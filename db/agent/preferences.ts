import { sql, type Selectable } from 'kysely'
import { v7 as uuid } from 'uuid'
import { now } from '../clock.js'
import { excluded } from '../columns.js'
import type { Db } from '../index.js'
import { statement } from '../statement.js'
import type { AgentPreferenceTable } from './tables.js'

const columns = ['key', 'kind', 'value', 'applies_to', 'status', 'source', 'version', 'updated_at'] as const

export type PreferenceRow = Pick<Selectable<AgentPreferenceTable>, typeof columns[number]>

// Every chat reads them.
const list = statement<{ workspace: string, user: string }, PreferenceRow>((param) => `
select ${columns.join(', ')} from agent_preference
where workspace_id = ${param('workspace')}::uuid and user_id = ${param('user')}::uuid order by key`)

/** @returns the user's preferences by key: a stable order keeps prompts stable */
export const listPreferences = (db: Db, workspace: string, user: string): Promise<PreferenceRow[]> =>
  list(db, { workspace, user })

/** What a person prefers, and its version, by which a later statement sees whether it is that still. */
export interface Preferences { rows: PreferenceRow[], version: string }

type OwnedRow = PreferenceRow & { id: string, user_id: string }

const listOf = statement<{ workspace: string, users: readonly string[] }, OwnedRow>((param) => `
select user_id, id, ${columns.join(', ')} from agent_preference
where workspace_id = ${param('workspace')}::uuid and user_id = any(${param('users')}::uuid[]) order by key`)

const versionOf = (rows: readonly OwnedRow[]): string =>
  rows.map(({ id, version }) => `${id} ${version}`).toSorted().join()

/**
 * The same in SQL: one that was removed and made again has another id.
 * @param workspace,user expressions of type uuid
 */
export const preferencesVersion = (workspace: string, user: string): string =>
  `(select coalesce(string_agg(id || ' ' || version, ',' order by id), '') as found from agent_preference
    where workspace_id = ${workspace} and user_id = ${user} offset 0)`

/** @returns the preferences of each of some users, as they are now */
export const listPreferencesOf = async (db: Db, workspace: string, users: readonly string[]):
Promise<Preferences[]> => {
  const all = await listOf(db, { workspace, users })
  return users.map((user) => {
    const rows = all.filter(({ user_id }) => user_id === user)
    return { rows, version: versionOf(rows) }
  })
}

export interface PreferenceChange {
  key: string
  kind: AgentPreferenceTable['kind']
  value: unknown
  applies_to: string[]
  status: AgentPreferenceTable['status']
  source: AgentPreferenceTable['source']
  version?: number
}

/**
 * Sets one key and leaves all others. With a version it only replaces, and only that one; a suggestion of an assistant
 * only replaces a suggestion.
 * @returns false when the key has another version than the one given, or is no suggestion
 */
export const setPreference = async (trx: Db, workspaceId: string, userId: string, change: PreferenceChange) => {
  const { key, kind, status, source, version } = change
  const value = JSON.stringify(change.value)
  const applies_to = JSON.stringify(change.applies_to)
  const fields = { kind, value, applies_to, status, source, updated_at: now }
  const replacement = { ...fields, version: sql<number>`agent_preference.version + 1` }
  const isReplaceable = sql<boolean>`(${source} = 'user' or agent_preference.status = 'suggested')`
  const row = version === undefined
    ? await trx
      .insertInto('agent_preference')
      .values({ workspace_id: workspaceId, user_id: userId, id: uuid(), key, ...fields })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id', 'key'])
        .doUpdateSet({ ...replacement, updated_at: excluded('updated_at') }).where(isReplaceable))
      .returning('version')
      .executeTakeFirst()
    : await trx
      .updateTable('agent_preference')
      .set(replacement)
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .where('version', '=', version)
      .where(isReplaceable)
      .returning('version')
      .executeTakeFirst()
  return row !== undefined
}

export const deletePreferences = async (
  trx: Db,
  workspaceId: string,
  userId: string,
  keys: string[]
): Promise<void> => {
  if (keys.length === 0) return
  await trx
    .deleteFrom('agent_preference')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('key', 'in', keys)
    .execute()
}
