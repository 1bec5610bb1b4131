import { copy } from './steward-sessions.js'

/** How much lies in the database: sessions with a run each, over how many tenants, with so many events a run. */
export interface Crowd { sessions: number, tenants: number, events: number }

// The first workspace's age keeps it first: it is the one that the server works for.
const workspaces = (tenants: number) => `
  insert into workspace ${copy('workspace', 'w', `
    'id', gen_random_uuid(), 'created_at', w.created_at + interval '1 s'`)}
    cross join generate_series(2, ${tenants}) n`

const clones = (sessions: number) => `
  create temporary table clone as
    select gen_random_uuid() as session_id, gen_random_uuid() as run_id, n * interval '1 s' as age,
      w.id as workspace_id, (select id from agent_session order by created_at, id limit 1) as source
    from generate_series(0, ${sessions - 1}) n
    join (select id, row_number() over (order by created_at, id) - 1 as position, count(*) over () as many
      from workspace) w on n % w.many = w.position`

/** @returns statements that make a crowd out of the one session that Steward wrote itself */
export const crowd = ({ sessions, tenants, events }: Crowd): string[] => [
  workspaces(tenants),
  clones(sessions),
  `insert into agent_session ${copy('agent_session', 's', `'workspace_id', c.workspace_id,
    'id', c.session_id, 'created_at', s.created_at - c.age, 'last_activity_at', s.last_activity_at - c.age`)}
    join clone c on c.source = s.id`,
  `insert into stream_event ${copy('stream_event', 'e', `'workspace_id', c.workspace_id,
    'stream_id', c.run_id, 'position', n`)}
    join (select * from stream_event limit 1) as one using (workspace_id, stream_id, position)
    cross join clone c cross join generate_series(1, ${events}) n`,
  `insert into agent_run ${copy('agent_run', 'r', `'workspace_id', c.workspace_id,
    'id', c.run_id, 'session_id', c.session_id`)}
    join clone c on c.source = r.session_id`,
  `insert into agent_message ${copy('agent_message', 'm', `'workspace_id', c.workspace_id,
    'id', gen_random_uuid(), 'session_id', c.session_id, 'run_id', c.run_id`)}
    join clone c on c.source = m.session_id`,
  'vacuum analyze'
]
