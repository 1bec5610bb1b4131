import { sql } from 'kysely'
import { ago, daysAgo, now } from '../clock.js'
import type { WorkKey } from '../durable/leases.js'
import type { Db } from '../index.js'
import { isOneOf } from '../statement.js'
import { sweep } from '../workers.js'
import { purgeAttachments } from './attachments.js'
import { unfinishedStatuses } from './runs.js'

const runsAtOnce = 200

/** Joined texts stay far below the 64 KiB that a frame may have, whatever their characters. */
const stretch = 4_096

/**
 * Joins the text rows of runs that ended over an hour ago, one row for each stretch of an unbroken text. Positions
 * stay, so a client that resumes in the middle of one sees the same as before.
 */
export const compactStreams = async (db: Db): Promise<void> => {
  const due = await sweep(db, (reach) => db
    .selectFrom('agent_run')
    .select('workspace_id')
    .distinct()
    .where(reach(isEnded))
    .execute())
  for (const { workspace_id } of due) await compactStreamsOf(db, workspace_id)
}

/** Since then no one reads what is joined; and what is older was looked at before. */
const isEnded = sql<boolean>`finished_at between now() - interval '1 day' and now() - interval '1 hour'`

const compactStreamsOf = async (db: Db, workspaceId: string): Promise<void> => {
  await sql`
    with due as (
      select id from agent_run
      where workspace_id = ${workspaceId} and ${isEnded}
        and (select count(*) from stream_event e where e.workspace_id = ${workspaceId}
          and e.stream_id = agent_run.id and e.event = 'content') > 1
      order by finished_at limit ${runsAtOnce}),
    texts as (
      select e.stream_id, e.position, e.data->>'message_id' as message_id, e.data->>'text' as text,
        sum(case when e.event = 'content' and e.data->>'reset' is null then 0 else 1 end)
          over (partition by e.stream_id order by e.position) as broken,
        e.position / ${stretch}::bigint as stretch, e.event, e.data->>'reset' as reset
      from stream_event e join due on due.id = e.stream_id where e.workspace_id = ${workspaceId}),
    joined as (
      select stream_id, broken, stretch, message_id, max(position) as position,
        string_agg(text, '' order by position) as text
      from texts where event = 'content' and reset is null
      group by stream_id, broken, stretch, message_id having count(*) > 1),
    gone as (
      delete from stream_event e using texts t, joined j
      where e.workspace_id = ${workspaceId} and e.stream_id = t.stream_id and e.position = t.position
        and t.event = 'content' and t.reset is null and j.stream_id = t.stream_id
        and j.broken = t.broken and j.stretch = t.stretch and j.message_id = t.message_id and t.position < j.position)
    update stream_event e set data = json_object(array['message_id', j.message_id, 'text', j.text])
    from joined j
    where e.workspace_id = ${workspaceId} and e.stream_id = j.stream_id and e.position = j.position`.execute(
    db
  )
}

/** Hides sessions without activity for so long, as their person does; none with a run that goes on. @returns how many */
export const hideIdleSessions = async (db: Db, workspaceId: string, days: number): Promise<number> => {
  const { numUpdatedRows } = await db.updateTable('agent_session').set({ deleted_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', (eb) => eb.selectFrom('agent_session as s').select('s.id')
      .where('s.workspace_id', '=', workspaceId).where('s.deleted_at', 'is', null)
      .where('s.last_activity_at', '<', daysAgo(days))
      .where(({ not, exists, selectFrom }) => not(exists(selectFrom('agent_run as r').select('r.id')
        .where('r.workspace_id', '=', workspaceId).whereRef('r.session_id', '=', 's.id')
        .where(isOneOf('r.status', unfinishedStatuses)))))
      .limit(runsAtOnce))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Deletes the rows of sessions that were deleted over a day ago. The audit stays. @returns how many sessions */
export const purgeSessions = async (db: Db): Promise<number> => {
  const sessions = await sweep(db, (reach) => db
    .selectFrom('agent_session')
    .select(['workspace_id', 'id'])
    .where(reach(sql`deleted_at < ${ago('1 day')}`))
    .limit(runsAtOnce)
    .execute())
  for (const session of sessions) await db.transaction().execute((trx) => purgeSession(trx, session))
  return sessions.length
}

/** Deleted sessions stay deleted: of two processes that purge one, the second waits for the lock and finds nothing. */
const purgeSession = async (trx: Db, { workspace_id, id }: WorkKey): Promise<void> => {
  await trx.selectFrom('agent_session').select('id').where('workspace_id', '=', workspace_id).where('id', '=', id)
    .forUpdate().executeTakeFirst()
  const runs = trx
    .selectFrom('agent_run')
    .select('agent_run.id')
    .where('workspace_id', '=', workspace_id)
    .where('session_id', '=', id)
  await trx
    .deleteFrom('stream_event')
    .where('workspace_id', '=', workspace_id)
    .where('stream_id', 'in', runs)
    .execute()
  await purgeAttachments(trx, workspace_id, id)
  for (const table of ['agent_confirmation', 'agent_tool_call', 'agent_message', 'agent_run'] as const) {
    await trx.deleteFrom(table).where('workspace_id', '=', workspace_id).where('session_id', '=', id).execute()
  }
  await trx.deleteFrom('agent_session').where('workspace_id', '=', workspace_id).where('id', '=', id).execute()
}
