import { sql } from 'kysely'
import type { Db } from './index.js'
import { statement } from './statement.js'

export interface StoredEvent {
  position: number
  event: string
  data: Record<string, unknown>
}

export interface EventRow {
  workspace_id: string
  stream_id: string
  position: number
  event: string
  /** JSON text of the payload, byte for byte as it was emitted. */
  data: string
}

const insert = statement<
  { workspace: string; streams: string[]; positions: number[]; events: string[]; datas: string[] },
  never
>(
  (param) => `
insert into stream_event (workspace_id, stream_id, position, event, data)
select ${param('workspace')}::uuid, e.* from unnest(${param('streams')}::uuid[], ${param('positions')}::bigint[],
  ${param('events')}::text[], ${param('datas')}::json[]) as e
on conflict do nothing`
)

/** One statement for the rows of any number of streams of a workspace. */
export const insertEvents = async (db: Db, rows: readonly EventRow[]): Promise<void> => {
  const [first] = rows
  if (!first) return
  const others = rows.filter(({ workspace_id }) => workspace_id !== first.workspace_id)
  const own = others.length === 0 ? rows : rows.filter(({ workspace_id }) => workspace_id === first.workspace_id)
  try {
    await insertOf(db, first.workspace_id, own)
  } finally {
    // A workspace whose rows cannot be stored does not keep those of the others.
    await insertEvents(db, others)
  }
}

const insertOf = async (db: Db, workspace: string, rows: readonly EventRow[]): Promise<void> => {
  await insert(db, {
    workspace,
    streams: rows.map((row) => row.stream_id),
    positions: rows.map((row) => row.position),
    events: rows.map((row) => row.event),
    datas: rows.map((row) => row.data)
  })
}

/** @returns the stream's events that end after the position, oldest first */
export const listEvents = (
  db: Db,
  workspaceId: string,
  streamId: string,
  after: number,
  limit: number
): Promise<StoredEvent[]> =>
  db
    .selectFrom('stream_event')
    .select(['position', 'event', 'data'])
    .where('workspace_id', '=', workspaceId)
    .where('stream_id', '=', streamId)
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute()

/** Wakes listeners of other instances; delivered at commit, may be lost. */
export const notifyStream = async (db: Db, payload: string): Promise<void> => {
  const notify = sql<null>`pg_notify('steward_streams', ${payload})`
  await db.selectNoFrom(notify.as('notified')).execute()
}
