import { sql, type Kysely } from 'kysely'

/**
 * Under which timeline of the database a run began. A promoted standby, or a restored backup, has another: what was
 * decided right before may be missing in it. Null where the server does not show it.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create function steward_timeline() returns text language plpgsql stable as $$
    begin
      return substring(pg_walfile_name(pg_current_wal_lsn()) for 8);
    exception when others then
      return null;
    end $$`.execute(db)
  await sql`alter table agent_run add column timeline text`.execute(db)
  await sql`alter table agent_run alter column timeline set default steward_timeline()`.execute(db)
}
