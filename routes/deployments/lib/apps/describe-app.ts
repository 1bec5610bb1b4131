import type { AppRow } from '../../../../db/deployments/apps.js'
import type { Db } from '../../../../db/index.js'
import { listMarks } from '../../../../lib/aws/accounts.js'
import type { App } from '../../../../schemas/deployments/apps.js'
import { itemAt } from '../../../../schemas/keys.js'

const statusOf = ({ live_builds: live, last_outcome: last }: AppRow): App['status'] => {
  if (live > 0) return 'building'
  if (!last) return 'never_deployed'
  return last.status === 'succeeded' ? 'idle' : 'failed'
}

/** The database writes times inside JSON with its own zone and digits. */
const inUtc = (build: AppRow['latest_build']): App['latest_build'] => build &&
  { ...build, finished_at: build.finished_at === null ? null : new Date(build.finished_at) }

const actorOf = ({ auto_deploy, auto_deploy_principal: actor }: AppRow): App['auto_deploy_as'] =>
  auto_deploy.enabled && actor ? { user_id: actor.user_id, name: actor.name, scopes: actor.scopes } : null

type Marks = Pick<App, 'environment' | 'read_only'>

const describe = (row: AppRow, { environment, read_only }: Marks): App => ({
  id: row.id,
  name: row.name,
  source: row.source,
  target: row.target,
  environment,
  read_only,
  image: row.image,
  auto_deploy: row.auto_deploy,
  auto_deploy_as: actorOf(row),
  refused_push: row.refused_push && { ...row.refused_push, at: new Date(row.refused_push.at) },
  status: statusOf(row),
  live_build: inUtc(row.live_build),
  latest_build: inUtc(row.latest_build),
  queue_length: row.queue_length,
  revision: row.revision,
  created_by: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at
})

/** An app refers to its account by a foreign key: there always is one. */
const unmarked: Marks = { environment: null, read_only: false }

/** @returns the apps of a workspace as the API returns them, with what their accounts are for */
export const describeApps = async (db: Db, workspaceId: string, rows: readonly AppRow[]): Promise<App[]> => {
  const accounts = [...new Set(rows.map(({ cloud_account_id: id }) => id))]
  const marks = new Map((await listMarks(db, workspaceId, accounts)).map((account) => [account.id, account]))
  return rows.map((row) => describe(row, marks.get(row.cloud_account_id) ?? unmarked))
}

/** @returns one of them */
export const describeApp = async (db: Db, row: AppRow): Promise<App> =>
  itemAt(await describeApps(db, row.workspace_id, [row]), 0)
