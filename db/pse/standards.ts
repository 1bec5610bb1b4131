import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { ListStandards, StandardContent, standardStatuses } from '../../schemas/pse/standards.js'
import { now } from '../clock.js'
import { next, type Slice } from '../columns.js'
import { duplicateOf } from '../connection-errors.js'
import type { Db } from '../index.js'

const columns = ['s.id', 's.key', 's.version', 's.revision', 's.status', 's.created_by', 's.created_at',
  's.updated_at'] as const

const current = (db: Db, workspaceId: string) => db.selectFrom('pse_standard as s').select(columns)
  .where('s.workspace_id', '=', workspaceId)

/** Finds a standard by id or key; a key names the standard in use, or else the one archived last. */
const named = (db: Db, workspaceId: string, name: string) => {
  const isId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(name)
  return (isId ? current(db, workspaceId).where('s.id', '=', name) : current(db, workspaceId).where('s.key', '=', name))
    .orderBy(sql`(s.status = 'archived')`).orderBy('s.updated_at', 'desc').limit(1)
}

export const findStandard = (db: Db, workspaceId: string, name: string) =>
  named(db, workspaceId, name).executeTakeFirst()

/** created_by is null for built-in standards. */
export type StandardRow =
  Omit<NonNullable<Awaited<ReturnType<typeof findStandard>>>, 'created_by'> & { created_by: string | null }

/** Serializes changes of standards, so that two of them cannot close a cycle. In a transaction. */
export const lockStandards = (db: Db, workspaceId: string) =>
  sql`select pg_advisory_xact_lock(hashtext('pse_standard'), hashtext(${workspaceId}))`.execute(db)

export interface VersionRow { version: number, content: StandardContent }

export const findStandardVersion = (db: Db, workspaceId: string, id: string, version: number):
Promise<VersionRow | undefined> =>
  db.selectFrom('pse_standard_version').select(['version', 'content'])
    .where('workspace_id', '=', workspaceId).where('standard_id', '=', id).where('version', '=', version)
    .executeTakeFirst()

type Filter = Pick<ListStandards, 'kind' | 'tag' | 'status' | 'project_id'>

/** A version's content without its long fields, for lists. */
type Brief = Omit<StandardContent, 'rules' | 'body_markdown' | 'overrides'>

const content = sql`v.content::jsonb`
const brief = sql<Brief>`${content} - 'rules' - 'body_markdown' - 'overrides'`
const ruleCount = sql<number>`jsonb_array_length(${content}->'rules')`

export const listStandards = (db: Db, workspaceId: string, filter: Filter, { before, limit }: Slice) => {
  const { kind, tag, status, project_id: project } = filter
  return current(db, workspaceId)
    .innerJoin('pse_standard_version as v', (join) => join.onRef('v.workspace_id', '=', 's.workspace_id')
      .onRef('v.standard_id', '=', 's.id').onRef('v.version', '=', 's.version'))
    .select([brief.as('brief'), ruleCount.as('rule_count')])
    .where(status === undefined ? sql<boolean>`s.status <> 'archived'` : sql<boolean>`s.status = ${status}`)
    .$if(kind !== undefined, (query) => query.where(sql<boolean>`v.content->>'kind' = ${kind}`))
    .$if(tag !== undefined, (query) => query.where(sql<boolean>`jsonb_exists(${content}->'tags', ${tag})`))
    .$if(project !== undefined, (query) => query.where(sql<boolean>`(
      jsonb_array_length(${content}->'scope'->'project_ids') = 0
      or jsonb_exists(${content}->'scope'->'project_ids', ${project}))`))
    .$if(before !== undefined, (query) => query.where('s.id', '<', String(before)))
    .orderBy('s.id', 'desc').limit(limit).execute()
}

export type StandardListRow = StandardRow & { brief: Brief, rule_count: number }

const insertVersion = (db: Db, workspaceId: string, userId: string, id: string, made: VersionRow) =>
  db.insertInto('pse_standard_version').values({
    workspace_id: workspaceId,
    standard_id: id,
    version: made.version,
    content: JSON.stringify(made.content),
    created_by: userId
  }).execute()

/** @returns whether an error says that a standard in use has the key */
export const isDuplicateKey = duplicateOf('pse_standard_key')

/** @returns the id. In a transaction. @throws as isDuplicateKey */
export const insertStandard = async (db: Db, workspaceId: string, userId: string, key: string, made: StandardContent):
Promise<string> => {
  const id = uuid()
  await db.insertInto('pse_standard').values({ workspace_id: workspaceId, id, key, created_by: userId }).execute()
  await insertVersion(db, workspaceId, userId, id, { version: 1, content: made })
  return id
}

interface Change { status: typeof standardStatuses[number], content?: StandardContent | undefined, version: number }

/** Sets the status, and inserts new content as the newest version. In a transaction, under lockStandards. */
export const updateStandard = async (db: Db, workspaceId: string, userId: string, id: string,
  { status, content: made, version }: Change): Promise<void> => {
  if (made) await insertVersion(db, workspaceId, userId, id, { version, content: made })
  await db.updateTable('pse_standard')
    .set({ status, version, revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}
