// Whatever columns the tables have, a copy of a row that Steward wrote itself is a row that it could have written.
export const copy = (table: string, alias: string, changes: string) =>
  `select (jsonb_populate_record(${alias}, jsonb_build_object(${changes}))).* from ${table} ${alias}`

/** Statements that add `count` sessions like the oldest one, each with a run and its messages, each a second older. */
export const cloneSessions = (count: number): string[] => [
  `create temporary table clone as
    select gen_random_uuid() as session_id, gen_random_uuid() as run_id, n * interval '1 s' as age,
      (select id from agent_session order by created_at, id limit 1) as source
    from generate_series(1, ${count}) n`,
  `insert into agent_session ${copy('agent_session', 's', `
    'id', c.session_id, 'created_at', s.created_at - c.age, 'last_activity_at', s.last_activity_at - c.age`)}
    join clone c on c.source = s.id`,
  `insert into agent_run ${copy('agent_run', 'r', "'id', c.run_id, 'session_id', c.session_id")}
    join clone c on c.source = r.session_id`,
  `insert into agent_message ${copy('agent_message', 'm', `
    'id', gen_random_uuid(), 'session_id', c.session_id, 'run_id', c.run_id`)}
    join clone c on c.source = m.session_id`,
  'analyze'
]
