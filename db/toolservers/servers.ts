import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { LeftOut, ServerProblem, Definition, Mode } from '../../schemas/toolservers/servers.js'
import { now } from '../clock.js'
import { next } from '../columns.js'
import { duplicateOf } from '../connection-errors.js'
import type { Db } from '../index.js'

const toolColumns = ['server_id', 'name', 'mode', 'pinned', 'pinned_hash', 'offered', 'offered_hash',
  'accepted_at'] as const

export const listTools = (db: Db, workspaceId: string, serverId: string) =>
  db.selectFrom('tool_server_tool').select(toolColumns)
    .where('workspace_id', '=', workspaceId).where('server_id', '=', serverId).orderBy('name').execute()

export type ToolRow = Awaited<ReturnType<typeof listTools>>[number]

export const findTool = (db: Db, workspaceId: string, serverId: string, name: string) =>
  db.selectFrom('tool_server_tool').select(toolColumns)
    .where('workspace_id', '=', workspaceId).where('server_id', '=', serverId).where('name', '=', name)
    .executeTakeFirst()

/** @returns the tools of all servers that were accepted once, each with its server */
export const listAccepted = (db: Db, workspaceId: string) =>
  db.selectFrom('tool_server_tool as t')
    .innerJoin('tool_server as s', (join) => join.onRef('s.workspace_id', '=', 't.workspace_id')
      .onRef('s.id', '=', 't.server_id'))
    .select(['t.server_id', 't.name', 't.mode', 't.pinned', 't.pinned_hash', 't.offered_hash', 's.name as server',
      's.enabled'])
    .where('t.workspace_id', '=', workspaceId).where('s.workspace_id', '=', workspaceId)
    .where('t.pinned_hash', 'is not', null).execute()

export type AcceptedTool = Awaited<ReturnType<typeof listAccepted>>[number]

export interface Offered {
  name: string
  definition: Definition
  hash: string
}

/** Tools as they were when the server was added: an admin did that, so they are accepted, and each call asks. */
export const insertPinned = async (db: Db, workspaceId: string, serverId: string, acceptedBy: string,
  tools: readonly Offered[]): Promise<void> => {
  if (tools.length === 0) return
  await db.insertInto('tool_server_tool').values(tools.map(({ name, definition, hash }) => ({
    workspace_id: workspaceId,
    server_id: serverId,
    name,
    mode: 'ask' as const,
    pinned: JSON.stringify(definition),
    pinned_hash: hash,
    offered: JSON.stringify(definition),
    offered_hash: hash,
    accepted_by: acceptedBy,
    accepted_at: now
  }))).execute()
}

/** Keeps what a server offers now; what was accepted stays as it is. A tool that is new here waits. */
export const saveOffered = async (db: Db, workspaceId: string, serverId: string, { name, definition, hash }: Offered):
Promise<void> => {
  const offered = { offered: JSON.stringify(definition), offered_hash: hash }
  await db.insertInto('tool_server_tool')
    .values({ workspace_id: workspaceId, server_id: serverId, name, mode: 'ask', ...offered })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'server_id', 'name']).doUpdateSet(offered)).execute()
}

/** A tool that was accepted once and is gone stays, so that nothing takes its name unseen; any other is forgotten. */
export const saveGone = async (db: Db, workspaceId: string, serverId: string, name: string): Promise<void> => {
  await db.deleteFrom('tool_server_tool').where('workspace_id', '=', workspaceId).where('server_id', '=', serverId)
    .where('name', '=', name).where('pinned_hash', 'is', null).execute()
  await db.updateTable('tool_server_tool').set({ offered: null, offered_hash: null })
    .where('workspace_id', '=', workspaceId).where('server_id', '=', serverId).where('name', '=', name).execute()
}

export const setMode = async (db: Db, workspaceId: string, serverId: string, name: string, mode: Mode):
Promise<void> => {
  await db.updateTable('tool_server_tool').set({ mode })
    .where('workspace_id', '=', workspaceId).where('server_id', '=', serverId).where('name', '=', name).execute()
}

/** @returns whether what the server offers is still what was seen */
export const acceptOffered = async (db: Db, workspaceId: string, serverId: string, name: string,
  { hash, by }: { hash: string, by: string }): Promise<boolean> =>
  await db.updateTable('tool_server_tool')
    .set({
      pinned: sql`offered`,
      pinned_hash: sql`offered_hash`,
      accepted_by: by,
      accepted_at: now,
      // What was accepted of another definition does not hold for this one: each call asks again.
      mode: sql`case when mode = 'read' and pinned_hash is distinct from offered_hash then 'ask' else mode end`
    })
    .where('workspace_id', '=', workspaceId).where('server_id', '=', serverId).where('name', '=', name)
    .where('offered_hash', '=', hash).returning('name').executeTakeFirst() !== undefined

const serverColumns = ['workspace_id', 'id', 'name', 'url', 'header_names', 'headers', 'enabled', 'left_out', 'problem',
  'looked_at', 'revision', 'created_at'] as const

const waiting = sql<number>`count(*) filter (where pinned_hash is distinct from offered_hash)`

/** @returns how many tools each server of the workspace has, and how many wait to be accepted */
export const countTools = (db: Db, workspaceId: string) =>
  db.selectFrom('tool_server_tool').select(['server_id', sql<number>`count(*)`.as('tools'), waiting.as('waiting')])
    .where('workspace_id', '=', workspaceId).groupBy('server_id').execute()

export const listServers = (db: Db, workspaceId: string) =>
  db.selectFrom('tool_server').select(serverColumns).where('workspace_id', '=', workspaceId).orderBy('name').execute()

export const findServer = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('tool_server').select(serverColumns).where('workspace_id', '=', workspaceId).where('id', '=', id)
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
