import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { now } from '../clock.js'
import { count, type Slice } from '../columns.js'
import type { Db } from '../index.js'

const columns = ['id', 'project_id', 'name', 'last_used_at', 'created_at'] as const

const calendars = (db: Db, workspaceId: string) =>
  db.selectFrom('content_calendar').where('workspace_id', '=', workspaceId)

export interface NewCalendar { user_id: string, project_id: string | null, name: string, hash: Buffer }

export const insertCalendar = (db: Db, workspaceId: string, made: NewCalendar) =>
  db.insertInto('content_calendar').values({ ...made, workspace_id: workspaceId, id: uuid() })
    .returning(columns).executeTakeFirstOrThrow()

export type CalendarRow = Awaited<ReturnType<typeof insertCalendar>>

export const countCalendars = async (db: Db, workspaceId: string, userId: string): Promise<number> =>
  (await calendars(db, workspaceId).select(count.as('count')).where('user_id', '=', userId)
    .executeTakeFirstOrThrow()).count

/** @returns those of a person, newest first */
export const listCalendars = (db: Db, workspaceId: string, userId: string, { before, limit }: Slice):
Promise<CalendarRow[]> => calendars(db, workspaceId).select(columns).where('user_id', '=', userId)
  .$if(before !== undefined, (query) => query.where('id', '<', String(before)))
  .orderBy('id', 'desc').limit(limit).execute()

/** @param userId null = anybody's. @returns whether there was one */
export const deleteCalendar = async (db: Db, workspaceId: string, userId: string | null, id: string):
Promise<boolean> => await db.deleteFrom('content_calendar').where('workspace_id', '=', workspaceId).where('id', '=', id)
  .$if(userId !== null, (query) => query.where('user_id', '=', userId ?? '')).returning('id')
  .executeTakeFirst() !== undefined

/** @returns whose calendar has an address, and which project it shows; `stale`: its last use is an hour old */
export const findCalendar = (db: Db, workspaceId: string, hash: Buffer) => calendars(db, workspaceId)
  .select(['id', 'user_id', 'project_id', 'name'])
  .select(sql<boolean>`coalesce(last_used_at < now() - interval '1 hour', true)`.as('stale'))
  .where('hash', '=', hash).executeTakeFirst()

export const touchCalendar = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  await db.updateTable('content_calendar').set({ last_used_at: now }).where('workspace_id', '=', workspaceId)
    .where('id', '=', id).execute()
}
