import { createHash } from 'node:crypto'
import type { RefusedRule, Style, ValeRule } from 'steward-prose-engine/schemas'
import { now } from '../clock.js'
import { excluded } from '../columns.js'
import type { Db } from '../index.js'

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
