import { sql, type Kysely } from 'kysely'

/** What finds texts that are nearly the same: texts that share a number are compared. Versions of before have none. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table content_version add column sketch integer[] not null default '{}'`.execute(db)
  // The numbers are of the project already: those of two projects, or workspaces, do not meet.
  await sql`create index content_version_sketch on content_version using gin (sketch)`.execute(db)
}
