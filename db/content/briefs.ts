import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { BriefBody } from 'steward-prose-engine/schemas'
import type { BriefStatus, ListBriefs } from '../../schemas/content/briefs.js'
import { now } from '../clock.js'
import { next, anyOf, contains, type OfProjects } from '../columns.js'
import type { Db } from '../index.js'

const columns = ['id', 'project_id', 'status', 'body', 'revision', 'created_by', 'created_at', 'updated_at'] as const

const toColumns = (body: BriefBody) => ({
  title: body.title, channels: [...new Set(body.channels.map(({ channel }) => channel))], body: JSON.stringify(body)
})

export const findBrief = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('content_brief').select(columns).where('workspace_id', '=', workspaceId).where('id', '=', id)
    .executeTakeFirst()

export type BriefRow = NonNullable<Awaited<ReturnType<typeof findBrief>>>

export type BriefFilter = Pick<ListBriefs, 'project_id' | 'status' | 'channel' | 'q'> & OfProjects

export const listBriefs = (db: Db, workspaceId: string,
  { project_id: project, projects, status, channel, q }: BriefFilter,
  { before, limit }: { before?: string | undefined, limit: number }): Promise<BriefRow[]> =>
  db.selectFrom('content_brief').select(columns).where('workspace_id', '=', workspaceId)
    .$if(projects !== undefined, (query) => query.where('project_id', '=', anyOf(projects ?? [])))
    .$if(project !== undefined, (query) => query.where('project_id', '=', String(project)))
    .$if(status === undefined, (query) => query.where('status', '<>', 'archived'))
    .$if(status !== undefined, (query) => query.where('status', '=', status as BriefStatus))
    .$if(channel !== undefined, (query) => query.where(sql<boolean>`${channel} = any(channels)`))
    .$if(q !== undefined, (query) => query.where(contains('title', q)))
    .$if(before !== undefined, (query) => query.where('id', '<', String(before)))
    .orderBy('id', 'desc').limit(limit).execute()

/** @param more the id and status of a brief that is used at once */
export const insertBrief = (db: Db, workspaceId: string, userId: string, projectId: string, body: BriefBody,
  more: { id?: string, status?: BriefStatus } = {}): Promise<BriefRow> =>
  db.insertInto('content_brief')
    .values({
      id: uuid(), ...more, workspace_id: workspaceId, project_id: projectId, created_by: userId, ...toColumns(body)
    }).returning(columns).executeTakeFirstOrThrow()

const change = { revision: next('revision'), updated_at: now }

/** @returns the changed brief; undefined when there is none, or none of these revisions is current */
export const updateBrief = (db: Db, workspaceId: string, id: string, body: BriefBody, revisions?: number[]):
Promise<BriefRow | undefined> =>
  db.updateTable('content_brief').set({ ...toColumns(body), ...change })
    .where('workspace_id', '=', workspaceId).where('id', '=', id)
    .$if(revisions !== undefined, (query) => query.where('revision', '=', anyOf(revisions ?? [])))
    .returning(columns).executeTakeFirst()

/** @returns the brief if it was in one of these states, and at one of these revisions */
export const moveBrief = (db: Db, workspaceId: string, id: string, from: BriefStatus[], to: BriefStatus,
  revisions?: number[]): Promise<BriefRow | undefined> =>
  db.updateTable('content_brief').set({ status: to, ...change })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('status', 'in', from)
    .$if(revisions !== undefined, (query) => query.where('revision', '=', anyOf(revisions ?? [])))
    .returning(columns).executeTakeFirst()

/** @returns what a brief belongs to, archived or not */
export const findBriefResource = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('content_brief').select('project_id').where('workspace_id', '=', workspaceId).where('id', '=', id)
    .executeTakeFirst()
