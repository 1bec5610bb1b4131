import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { App } from '../app.js'

/** @returns everything that the home workspace holds, a number for each table but those left out */
export const digest = async (app: App, leftOut: string[]): Promise<Record<string, string>> => {
  const { rows: tables } = await sql<{ name: string }>`select table_name as name from information_schema.columns
    where column_name = 'workspace_id' and table_schema = 'public' order by 1`.execute(app.db)
  const digests: Record<string, string> = {}
  for (const { name } of tables.filter(({ name }) => !leftOut.includes(name))) {
    const { rows } = await sql<{ row: string }>`select row_to_json(t)::text as row from ${sql.table(name)} t
      where workspace_id = ${app.home.workspace_id} order by 1`.execute(app.db)
    digests[name] = createHash('sha256').update(rows.map(({ row }) => row).join('\n')).digest('hex')
  }
  return digests
}
