import { sql, type Kysely } from 'kysely'

/**
 * With whose rights a push is built, as they were when auto_deploy was set: null for apps that were set up before,
 * whose pushes build nothing until it is set again. And the last push that built nothing, with the reason.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table deployment_app add column auto_deploy_principal json, add column refused_push json`.execute(db)
}
