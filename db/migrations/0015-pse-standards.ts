import { sql, type Kysely } from 'kysely'

const standard = sql`
  create table pse_standard (
    workspace_id uuid not null references workspace, id uuid not null, key text not null,
    version integer not null default 1, revision integer not null default 1,
    status text not null default 'active' check (status in ('active', 'deprecated', 'archived')),
    created_by uuid not null,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
    primary key (workspace_id, id))`

/** Versions are never changed nor deleted: specs pin them. */
const version = sql`
  create table pse_standard_version (
    workspace_id uuid not null, standard_id uuid not null, version integer not null, content json not null,
    created_by uuid not null, created_at timestamptz not null default now(),
    primary key (workspace_id, standard_id, version),
    foreign key (workspace_id, standard_id) references pse_standard)`

const indexes = [
  sql`create unique index pse_standard_key on pse_standard (workspace_id, key) where status <> 'archived'`
]

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [standard, version, ...indexes]) await statement.execute(db)
}
