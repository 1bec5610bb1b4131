import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { UpdateWorkspace, Workspace } from '../../schemas/account/workspace.js'
import { now } from '../clock.js'
import { next, anyOf } from '../columns.js'
import type { Db } from '../index.js'
import { sweep } from '../workers.js'

export interface Home { workspace_id: string, admin_id: string }

const homes = (db: Db) => db.selectFrom('workspace')
  .innerJoin('account_user as admin', 'admin.workspace_id', 'workspace.id')
  .select(['workspace.id as workspace_id', 'admin.id as admin_id'])
  .where('admin.role', '=', 'admin').where('admin.status', '=', 'active')

const find = (db: Db): Promise<Home | undefined> => sweep(db, (reach) =>
  homes(db).where(reach(sql`workspace.is_first`, 'workspace.id', 'admin.workspace_id'))
    .orderBy('admin.created_at').orderBy('admin.id').executeTakeFirst())

/** Of an installation that is older than the mark, the oldest workspace is the first. */
const mark = async (trx: Db): Promise<Home | undefined> => {
  const oldest = await homes(trx).orderBy('workspace.created_at').orderBy('admin.created_at').orderBy('admin.id')
    .executeTakeFirst()
  if (oldest) await trx.updateTable('workspace').set({ is_first: true }).where('id', '=', oldest.workspace_id).execute()
  return oldest
}

const insertHome = async (trx: Db): Promise<Home> => {
  const home = { workspace_id: uuid(), admin_id: uuid() }
  await trx.insertInto('workspace').values({ id: home.workspace_id, name: 'Workspace', is_first: true }).execute()
  await trx.insertInto('account_user').values({
    workspace_id: home.workspace_id,
    id: home.admin_id,
    name: 'Administrator',
    email: null,
    role: 'admin',
    status: 'active'
  }).execute()
  return home
}

const create = (db: Db): Promise<Home> => db.transaction().execute(async (trx) => {
  // Several instances may start on one empty database.
  await sql`select pg_advisory_xact_lock(hashtext('steward.workspace'))`.execute(trx)
  return await find(trx) ?? await mark(trx) ?? await insertHome(trx)
})

/** @returns the first workspace and its first active admin, made on the first start */
export const findOrCreateWorkspace = async (db: Db): Promise<Home> => await find(db) ?? await create(db)

export const workspaceColumns = ['id', 'name', 'hosts', 'revision', 'created_at', 'updated_at'] as const

export const findWorkspace = (db: Db, id: string): Promise<Workspace> =>
  db.selectFrom('workspace').select(workspaceColumns).where('id', '=', id).executeTakeFirstOrThrow()

/** @returns the changed workspace; undefined when none of these revisions is current */
export const updateWorkspace = (db: Db, id: string, change: UpdateWorkspace, revisions?: number[]):
Promise<Workspace | undefined> =>
  db.updateTable('workspace').set({ ...change, revision: next('revision'), updated_at: now })
    .where('id', '=', id)
    .$if(revisions !== undefined, (query) => query.where('revision', '=', anyOf(revisions ?? [])))
    .returning(workspaceColumns).executeTakeFirst()

/** Changes of who is admin go one after the other: two admins cannot demote each other at once. */
export const lockWorkspace = (trx: Db, id: string) =>
  trx.selectFrom('workspace').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
