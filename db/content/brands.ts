import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { RefusedRule, Style, ValeRule } from 'steward-prose-engine/schemas'
import { now } from '../clock.js'
import { excluded } from '../columns.js'
import type { Db } from '../index.js'
import type { StoredBrand } from './tables.js'

export interface StyleRow extends Style {
  refused: RefusedRule[]
  updated_by: string
  updated_at: Date
}

/** @returns by what compiled rules are kept, for all workspaces: nobody may name another hash than that of the rules */
export const hashOfRules = (rules: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(rules)).digest('base64url').slice(0, 22)

/** @returns what a check needs of the styles of a brand, by name */
export const listStyleRules = (db: Db, workspaceId: string, projectId: string): Promise<Style[]> =>
  db.selectFrom('content_style').select(['name', 'hash', 'rules'])
    .where('workspace_id', '=', workspaceId).where('project_id', '=', projectId).orderBy('name').execute()

export const listStyles = (db: Db, workspaceId: string, projectId: string): Promise<StyleRow[]> =>
  db.selectFrom('content_style').select(['name', 'hash', 'rules', 'refused', 'updated_by', 'updated_at'])
    .where('workspace_id', '=', workspaceId).where('project_id', '=', projectId).orderBy('name').execute()

interface NewStyle { name: string, rules: ValeRule[], refused: RefusedRule[] }

/** Writes a style, or replaces the one of that name; in a transaction, under the project's lock. */
export const saveStyle = async (db: Db, workspaceId: string, projectId: string, userId: string,
  { name, rules, refused }: NewStyle): Promise<void> => {
  const row = {
    hash: hashOfRules(rules),
    rules: JSON.stringify(rules),
    refused: JSON.stringify(refused),
    updated_by: userId,
    updated_at: now
  }
  await db.insertInto('content_style').values({ workspace_id: workspaceId, project_id: projectId, name, ...row })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'project_id', 'name'])
      .doUpdateSet({ ...row, updated_at: excluded('updated_at') }))
    .execute()
}

/** @returns whether there was one */
export const deleteStyle = async (db: Db, workspaceId: string, projectId: string, name: string): Promise<boolean> => {
  const { numDeletedRows: count } = await db.deleteFrom('content_style')
    .where('workspace_id', '=', workspaceId).where('project_id', '=', projectId).where('name', '=', name)
    .executeTakeFirstOrThrow()
  return count > 0n
}

export interface BrandRow {
  version: number
  settings: StoredBrand
  updated_by: string
  updated_at: Date
}

/** @param version undefined = the current one */
export const findBrand = (db: Db, workspaceId: string, projectId: string, version?: number):
Promise<BrandRow | undefined> =>
  version === undefined
    ? db.selectFrom('content_brand').select(['version', 'settings', 'updated_by', 'updated_at'])
      .where('workspace_id', '=', workspaceId).where('project_id', '=', projectId).executeTakeFirst()
    : db.selectFrom('content_brand_version')
      .select(['version', 'settings', 'created_by as updated_by', 'created_at as updated_at'])
      .where('workspace_id', '=', workspaceId).where('project_id', '=', projectId).where('version', '=', version)
      .executeTakeFirst()

/** Writes the next version; in a transaction, under the project's lock. */
export const saveBrand = async (db: Db, workspaceId: string, projectId: string, userId: string, version: number,
  settings: StoredBrand): Promise<void> => {
  const row = { workspace_id: workspaceId, project_id: projectId, version, settings: JSON.stringify(settings) }
  const { settings: text } = row
  await db.insertInto('content_brand').values({ ...row, updated_by: userId, updated_at: now })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'project_id'])
      .doUpdateSet({ version, settings: text, updated_by: userId, updated_at: excluded('updated_at') }))
    .execute()
  await db.insertInto('content_brand_version').values({ ...row, created_by: userId }).execute()
}

export interface TargetState { id: string, has_secret: boolean, disabled_reason: string | null }

export const listTargets = (db: Db, workspaceId: string, projectId: string): Promise<TargetState[]> =>
  db.selectFrom('content_target')
    .select(['id', 'disabled_reason', sql<boolean>`secret is not null`.as('has_secret')])
    .where('workspace_id', '=', workspaceId).where('project_id', '=', projectId).execute()

export interface TargetChange {
  /** undefined = as it is; null = none */
  secret?: Buffer | null | undefined
  /** Takes content again. */
  enables: boolean
  /** The address leads to another receiver. */
  moves: boolean
}

/** A replaced secret stays valid beside the new one for a day, but never for another receiver. */
export const saveTarget = async (db: Db, workspaceId: string, projectId: string, id: string,
  { secret, enables, moves }: TargetChange): Promise<void> => {
  await db.insertInto('content_target')
    .values({
      // Until then a replaced secret counts; of a new target there is none.
      workspace_id: workspaceId,
      project_id: projectId,
      id,
      secret: secret ?? null,
      previous_until: sql`now() + interval '1 day'`
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doUpdateSet({
      project_id: projectId,
      ...(enables && { disabled_reason: null }),
      ...(secret !== undefined && {
        secret,
        previous_secret: moves ? null : sql`content_target.secret`,
        previous_until: moves ? null : excluded('previous_until')
      })
    })).execute()
}

export const deleteTargets = async (db: Db, workspaceId: string, projectId: string, kept: string[]): Promise<void> => {
  await db.deleteFrom('content_target').where('workspace_id', '=', workspaceId).where('project_id', '=', projectId)
    .$if(kept.length > 0, (query) => query.where('id', 'not in', kept)).execute()
}

/** @returns the secrets that sign now: the current one, and one that it replaced within a day */
export const findSecrets = async (db: Db, workspaceId: string, id: string): Promise<Buffer[]> => {
  const row = await db.selectFrom('content_target')
    .select(['secret', sql<Buffer | null>`case when previous_until > now() then previous_secret end`.as('previous')])
    .where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
  return [row?.secret, row?.previous].filter((secret) => secret !== null && secret !== undefined)
}

export const disableTarget = async (db: Db, workspaceId: string, id: string, reason: string): Promise<void> => {
  await db.updateTable('content_target').set({ disabled_reason: reason })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}
