import { sql, type Kysely } from 'kysely'

/** An app that was deleted can be brought back for 30 days; its name is free meanwhile. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table deployment_app add column deleted_at timestamptz`.execute(db)
  await sql`create index deployment_app_deleted on deployment_app (deleted_at) where deleted_at is not null`.execute(db)
  await sql`drop index deployment_app_name`.execute(db)
  await sql`create unique index deployment_app_name on deployment_app (workspace_id, lower(name))
    where deleted_at is null`.execute(db)
}
