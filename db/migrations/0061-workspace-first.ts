import { sql, type Kysely } from 'kysely'

/**
 * Which workspace is the installation's first, whose admins are the installation's: a start marks it. And since when a
 * workspace is being deleted: what a process that ended left of it is deleted later.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table workspace add column is_first boolean not null default false,
    add column deleted_at timestamptz`.execute(db)
}
