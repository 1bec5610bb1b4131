import { sql, type Kysely } from 'kysely'

/**
 * Roles of a person or a group on a part of the workspace. `scope_of` is the id of a project or of a cloud account, or
 * the name of an environment; empty for the workspace. Only what can be deleted here is referred to by a key: people
 * and projects stay, and an account takes its bindings along.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table account_binding (
    workspace_id uuid not null, id uuid not null, role text not null, user_id uuid, group_id uuid,
    scope text not null, scope_of text not null default '', created_by uuid not null,
    created_at timestamptz not null default now(),
    primary key (workspace_id, id),
    check (role in ('viewer', 'operator', 'approver', 'admin')),
    check (scope in ('workspace', 'project', 'cloud_account', 'environment')),
    check ((scope = 'workspace') = (scope_of = '')),
    check (num_nonnulls(user_id, group_id) = 1),
    foreign key (workspace_id, group_id) references account_group on delete cascade)`.execute(db)
  await sql`create unique index account_binding_user on account_binding (workspace_id, user_id, scope, scope_of)
    where user_id is not null`.execute(db)
  await sql`create unique index account_binding_group on account_binding (workspace_id, group_id, scope, scope_of)
    where group_id is not null`.execute(db)
}
