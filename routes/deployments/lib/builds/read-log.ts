import { findBuild, type BuildRow } from '../../../../db/deployments/builds.js'
import { listLines } from '../../../../db/deployments/logs.js'
import type { Db } from '../../../../db/index.js'
import { sendStream } from '../../../../lib/streams/follow.js'
import type { Sink } from '../../../../lib/streams/open-streams.js'
import type { BuildLog, BuildLogLine } from '../../../../schemas/deployments/logs.js'
import { NotFound } from '../../../../schemas/errors.js'
import type { Deps } from '../call-route.js'

/** @throws not_found for a build that is not the app's, or not the workspace's */
export const readBuild = async (db: Db, workspaceId: string, appId: string, id: string): Promise<BuildRow> => {
  const row = await findBuild(db, workspaceId, appId, id)
  if (!row) throw NotFound()
  return row
}

/** @returns a page of the build's lines after a position; the build was read before them, so none is missed */
export const readLog = async (db: Db, row: BuildRow, after: number, limit: number): Promise<BuildLog> => {
  const found = await listLines(db, row.workspace_id, row.id, after, limit + 1)
  // The rows are what progress.ts wrote.
  const items = found.slice(0, limit).map(({ data }) => data as BuildLogLine)
  const more = found.length > limit
  const ended = row.finished_at !== null
  return {
    build_id: row.id,
    status: row.status,
    items,
    next_seq: items.at(-1)?.seq ?? after,
    complete: ended && !more,
    truncated: row.log_truncated
  }
}

/** @returns whether the build has ended and the client has all its events */
export const isCaughtUp = (row: BuildRow, after: number): boolean => row.finished_at !== null && after >= row.log_seq

/** Sends what happens to a build to one client, from a position on, until the build ends. */
export const followBuild = ({ streams }: Pick<Deps, 'streams'>, row: BuildRow, after: number, sink: Sink):
Promise<void> => {
  const followed = { workspaceId: row.workspace_id, streamId: row.id, after }
  return sendStream(streams, { ...followed, isEnd: ({ event }) => event === 'end' }, sink)
}
