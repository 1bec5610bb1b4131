import { sql, type Kysely } from 'kysely'

const serviceDeployment = sql`
  create table service_deployment (
    workspace_id uuid not null, id uuid not null, account_id uuid not null,
    region text not null, cluster text not null, service text not null,
    kind text not null check (kind in ('deploy', 'force', 'rollback')), status text not null, status_reason text,
    previous_task_definition text not null, target_task_definition text, plan json not null, changes json not null,
    aws_deployment_id text, aws_service_deployment_arn text, progress json, failures json not null default '[]',
    verdict text, looks integer not null default 0,
    actor text not null, user_id uuid, comment text,
    lease_epoch bigint not null default 0, lease_until timestamptz, looked_at timestamptz not null default now(),
    created_at timestamptz not null default now(), started_at timestamptz, finished_at timestamptz,
    deadline_at timestamptz not null,
    primary key (workspace_id, id),
    foreign key (workspace_id, account_id) references cloud_account on delete cascade)`

const live = sql.raw('(\'queued\', \'registering\', \'updating\', \'in_progress\', \'rolling_back\')')

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await serviceDeployment.execute(db)
  // One live deployment a service: the index decides every race of two.
  await sql`create unique index service_deployment_live on service_deployment
    (workspace_id, account_id, region, cluster, service) where status in ${live}`.execute(db)
  await sql`create index service_deployment_history on service_deployment
    (workspace_id, account_id, region, cluster, service, id desc)`.execute(db)
  await sql`create index service_deployment_stale on service_deployment (looked_at) where status in ${live}`.execute(db)
}
