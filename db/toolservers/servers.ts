import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { LeftOut, ServerProblem } from '../../schemas/toolservers/servers.js'
import { now } from '../clock.js'
import { next } from '../columns.js'
import { duplicateOf } from '../duplicates.js'
import type { Db } from '../index.js'

const columns = ['workspace_id', 'id', 'name', 'url', 'header_names', 'headers', 'enabled', 'left_out', 'problem',
  'looked_at', 'revision', 'created_at'] as const

const waiting = sql<number>`count(*) filter (where pinned_hash is distinct from offered_hash)`

/** @returns how many tools each server of the workspace has, and how many wait to be accepted */
export const countTools = (db: Db, workspaceId: string) =>
  db.selectFrom('tool_server_tool').select(['server_id', sql<number>`count(*)`.as('tools'), waiting.as('waiting')])
    .where('workspace_id', '=', workspaceId).groupBy('server_id').execute()

export const listServers = (db: Db, workspaceId: string) =>
  db.selectFrom('tool_server').select(columns).where('workspace_id', '=', workspaceId).orderBy('name').execute()

export const findServer = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('tool_server').select(columns).where('workspace_id', '=', workspaceId).where('id', '=', id)
    .executeTakeFirst()

export type ServerRow = NonNullable<Awaited<ReturnType<typeof findServer>>>

/** @returns whether an error says that a server of the workspace has the name */
export const isDuplicateServerName = duplicateOf('tool_server_name')

export const newServerId = (): string => uuid()

export interface NewServer {
  id: string
  name: string
  url: string
  header_names: string[]
  headers: Buffer | null
  left_out: LeftOut[]
  created_by: string
}

/** @throws as isDuplicateServerName */
export const insertServer = async (db: Db, workspaceId: string, { left_out: leftOut, ...server }: NewServer) => {
  await db.insertInto('tool_server')
    .values({ ...server, workspace_id: workspaceId, left_out: JSON.stringify(leftOut), looked_at: now }).execute()
}

export interface ServerChange {
  enabled?: boolean
  header_names?: string[]
  headers?: Buffer | null
}

/** @returns whether there was one */
export const updateServer = async (db: Db, workspaceId: string, id: string, change: ServerChange): Promise<boolean> =>
  await db.updateTable('tool_server').set({ ...change, revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).returning('id').executeTakeFirst() !== undefined

/** Keeps what a look at the server came to. */
export const saveLook = async (db: Db, workspaceId: string, id: string, leftOut: LeftOut[] | undefined,
  problem: ServerProblem | null): Promise<void> => {
  await db.updateTable('tool_server').set({
    looked_at: now,
    problem: problem && JSON.stringify(problem),
    ...(leftOut && { left_out: JSON.stringify(leftOut) })
  }).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** With its tools. @returns whether there was one */
export const deleteServer = async (db: Db, workspaceId: string, id: string): Promise<boolean> =>
  await db.deleteFrom('tool_server').where('workspace_id', '=', workspaceId).where('id', '=', id)
    .returning('id').executeTakeFirst() !== undefined

/** The headers cannot be opened any more: without them nothing is asked until they are entered again. */
export const forgetHeaders = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  await db.updateTable('tool_server').set({ headers: null, header_names: [], enabled: false })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}
