import { sql } from 'kysely'
import { ago } from '../clock.js'
import type { Db } from '../index.js'

const runsAtOnce = 200

/** Joined texts stay far below the 64 KiB that a frame may have, whatever their characters. */
const stretch = 4_096

/**
 * Joins the text rows of runs that ended over an hour ago, one row for each stretch of an unbroken text. Positions
 * stay, so a client that resumes in the middle of one sees the same as before.
 */
export const compactStreams = async (db: Db): Promise<void> => {
  await sql`
    with due as (
      select workspace_id, id from agent_run
      where finished_at between now() - interval '1 day' and now() - interval '1 hour'
        and (select count(*) from stream_event e where e.workspace_id = agent_run.workspace_id
          and e.stream_id = agent_run.id and e.event = 'content') > 1
      order by finished_at limit ${runsAtOnce}),
    texts as (
      select e.workspace_id, e.stream_id, e.position, e.data->>'message_id' as message_id, e.data->>'text' as text,
        sum(case when e.event = 'content' and e.data->>'reset' is null then 0 else 1 end)
          over (partition by e.stream_id order by e.position) as broken,
        e.position / ${stretch}::bigint as stretch, e.event, e.data->>'reset' as reset
      from stream_event e join due on due.workspace_id = e.workspace_id and due.id = e.stream_id),
    joined as (
      select workspace_id, stream_id, broken, stretch, message_id, max(position) as position,
        string_agg(text, '' order by position) as text
      from texts where event = 'content' and reset is null
      group by workspace_id, stream_id, broken, stretch, message_id having count(*) > 1),
    gone as (
      delete from stream_event e using texts t, joined j
      where e.workspace_id = t.workspace_id and e.stream_id = t.stream_id and e.position = t.position
        and t.event = 'content' and t.reset is null and j.workspace_id = t.workspace_id and j.stream_id = t.stream_id
        and j.broken = t.broken and j.stretch = t.stretch and j.message_id = t.message_id and t.position < j.position)
    update stream_event e set data = json_build_object('message_id', j.message_id, 'text', j.text)
    from joined j
    where e.workspace_id = j.workspace_id and e.stream_id = j.stream_id and e.position = j.position`.execute(
      db
    )
}

/** Deletes the rows of sessions that were deleted over a day ago. The audit stays. */
export const purgeSessions = async (db: Db): Promise<void> => {
  await db.transaction().execute(async (trx) => {
    const sessions = await trx
      .selectFrom('agent_session')
      .select(['workspace_id', 'id'])
      .where('deleted_at', '<', ago('1 day'))
      .limit(runsAtOnce)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { workspace_id, id } of sessions) {
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
      for (const table of ['agent_confirmation', 'agent_tool_call', 'agent_message', 'agent_run'] as const) {
        await trx.deleteFrom(table).where('workspace_id', '=', workspace_id).where('session_id', '=', id).execute()
      }
      await trx.deleteFrom('agent_session').where('workspace_id', '=', workspace_id).where('id', '=', id).execute()
    }
  })
}
