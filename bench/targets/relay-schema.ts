/** The tables of the storing relay. */
export const schema = `
  create table session (
    workspace_id int not null, id uuid primary key, title text not null,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now());
  create index on session (workspace_id, updated_at desc, id desc);
  create table message (
    id bigint generated always as identity primary key, session_id uuid not null references session,
    role text not null, content json not null, created_at timestamptz not null default now());
  create index on message (session_id, id);
  create table tool_call (
    id text not null, session_id uuid not null references session, name text not null, arguments json not null,
    result json, finished_at timestamptz, primary key (session_id, id));
  create table outcome (
    session_id uuid not null references session, stop_reason text not null, output_tokens int not null,
    finished_at timestamptz not null default now());
  create table project (id int primary key, workspace_id int not null, name text not null);
  create index on project (workspace_id, id);
  insert into project select n, 1, 'Project ' || n from generate_series(1, 200) n;`

/** Adds `$1` sessions of one message each. */
export const seedSessions = `
  with made as (
    insert into session select 1, gen_random_uuid(), 'Session ' || n, now() - n * age, now() - n * age
    from generate_series(1, $1::int) n, (select interval '1 s' as age) second returning id)
  insert into message (session_id, role, content) select id, 'user', '"hello"' from made`
