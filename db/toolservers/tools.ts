import { sql } from 'kysely'
import type { Definition, Mode } from '../../schemas/toolservers/servers.js'
import { now } from '../clock.js'
import type { Db } from '../index.js'

const columns = ['server_id', 'name', 'mode', 'pinned', 'pinned_hash', 'offered', 'offered_hash',
  'accepted_at'] as const

export const listTools = (db: Db, workspaceId: string, serverId: string) =>
  db.selectFrom('tool_server_tool').select(columns)
    .where('workspace_id', '=', workspaceId).where('server_id', '=', serverId).orderBy('name').execute()

export type ToolRow = Awaited<ReturnType<typeof listTools>>[number]

export const findTool = (db: Db, workspaceId: string, serverId: string, name: string) =>
  db.selectFrom('tool_server_tool').select(columns)
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
