import type { Db } from '../index.js'
import type { StoredEvent } from '../stream-events.js'

/** @returns the lines of a build after a position, oldest first; steps and states are left out */
export const listLines = (db: Db, workspaceId: string, buildId: string, after: number, limit: number):
Promise<StoredEvent[]> =>
  db.selectFrom('stream_event').select(['position', 'event', 'data'])
    .where('workspace_id', '=', workspaceId).where('stream_id', '=', buildId)
    .where('position', '>', after).where('event', '=', 'log')
    .orderBy('position').limit(limit).execute()
