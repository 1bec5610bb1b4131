import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import { listTables } from '../../db/schema-tables.js'

/**
 * What Steward sees of a Citus, on a plain database: the extension, a worker for each of two parts of the workspaces,
 * and errors of whatever touches a row of a dead worker. What a statement costs there, and which servers it asks beyond
 * the rows that it needs, `test/guards/router.deep.ts` and a real one show (`citus.test.ts`).
 */
const functions = [
  'create table dead_workspace (id uuid primary key, code text)',
  `create function answers (workspace uuid) returns boolean language plpgsql stable cost 10000 as $$
  declare found text;
  begin
    select d.code into found from dead_workspace d where d.id = workspace;
    if found = 'hang' then perform pg_sleep(10); end if;
    if found is not null then raise exception 'no answer of the remote node' using errcode = replace(found, 'hang', '57014'); end if;
    return true;
  end $$`,
  `create function run_command_on_shards (name text, command text, out success boolean, out result text)
    returns setof record language plpgsql as $$ begin
      for success in select * from (values (true), (false)) as v loop
        if success then
          execute format(command, '(select id from workspace_all where id not in (select id from dead_workspace)) w')
            into result;
          return next;
        elsif exists (select from dead_workspace) then
          result := 'failed to connect to worker-2:5432';
          return next;
        end if;
      end loop;
    end $$`,
  'create table pg_dist_placement as select * from (values (1, 1), (2, 2)) as p (shardid, groupid)',
  // By name: where a workspace is does not depend on whether its worker answers.
  `create function get_shard_id_for_distribution_column (name text, workspace uuid) returns integer language plpgsql as
    $$ begin return case when exists (select from workspace_all w where w.id = workspace and w.name in ('Dead', 'Silent'))
      then 2 else 1 end; end $$`,
  `create table pg_dist_node as select * from
    (values ('worker-1', 5432, 1), ('worker-2', 5432, 2)) as n (nodename, nodeport, groupid),
    (select 'primary' as noderole, true as isactive, true as shouldhaveshards) as rest`,
  `create function citus_check_connection_to_node (nodename text, nodeport integer) returns boolean language sql as
    $$ select nodename = 'worker-1' or not exists (select from dead_workspace) $$`,
  `insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    values (99999, 'citus', 10, 2200, true, '13.2')`
]

/** Makes the database look divided; Steward finds that out at its next start. */
export const divide = async (db: Db): Promise<void> => {
  const tables = await listTables(db)
  for (const text of functions) await sql.raw(text).execute(db)
  for (const { name, by } of tables) {
    const all = `${name}_all`
    await sql`alter table ${sql.table(name)} rename to ${sql.ref(all)}`.execute(db)
    await sql`create view ${sql.table(name)} as select * from ${sql.table(all)} where answers(${sql.ref(String(by))})
      with check option`.execute(db)
  }
}

const fail = async (db: Db, code: string, ids: string[]): Promise<void> => {
  await sql`delete from dead_workspace`.execute(db)
  await sql`insert into dead_workspace select id, ${code} from unnest(${ids}::uuid[]) as id`.execute(db)
}

/** The worker that has these workspaces is dead, and refuses connections; without any, it lives again. */
export const killWorkerOf = (db: Db, ...ids: string[]): Promise<void> => fail(db, '08006', ids)

/** The worker that has these workspaces is silent: a statement that asks it takes too long, which is left out here. */
export const silenceWorkerOf = (db: Db, ...ids: string[]): Promise<void> => fail(db, '57014', ids)

/** The worker is silent, and statements that ask it wait: for a server alone, whose sessions wait beside each other. */
export const hangWorkerOf = (db: Db, ...ids: string[]): Promise<void> => fail(db, 'hang', ids)
