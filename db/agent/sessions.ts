import { sql } from 'kysely'
import type { Effort } from '../../schemas/agent/models.js'
import { now } from '../clock.js'
import type { Db } from '../index.js'
import { json, object, time, word, type JsonText } from '../columns.js'
import { shaped } from '../shaped.js'
import { liveStatuses } from './runs.js'
import { isOneOf } from '../statement.js'

/** @returns what a run needs of its session */
export const findSessionForRun = (db: Db, workspaceId: string, id: string) =>
  db
    .selectFrom('agent_session as s')
    .innerJoin('agent_prompt as p', (join) =>
      join.onRef('p.workspace_id', '=', 's.workspace_id').onRef('p.hash', '=', 's.system_hash')
    )
    .select([
      's.id',
      's.title',
      's.model',
      's.own_model',
      's.effort',
      's.thinking',
      's.next_message',
      's.spent_usd_micros',
      's.budget_usd_micros',
      's.model_since',
      's.context_tokens',
      's.context_characters',
      'p.text as system'
    ])
    .where('s.workspace_id', '=', workspaceId)
    .where('s.id', '=', id)
    .executeTakeFirst()

/**
 * Moves a session on to another model, before its next message.
 * @returns the number of the first message to that model; undefined when the session has another model by now
 */
export const changeModel = async (db: Db, workspaceId: string, id: string, model: { from: string, to: string }):
Promise<number | undefined> => {
  const row = await db
    .updateTable('agent_session')
    .set((eb) => ({ model: model.to, model_since: eb.ref('next_message') }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('model', '=', model.from)
    .returning('model_since')
    .executeTakeFirst()
  return row?.model_since
}

const withRun = (db: Db, workspaceId: string, userId: string) =>
  db
    .selectFrom('agent_session as s')
    .leftJoin('agent_run as r', (join) =>
      join
        .onRef('r.workspace_id', '=', 's.workspace_id')
        .onRef('r.session_id', '=', 's.id')
        .on(isOneOf('r.status', liveStatuses))
    )
    .where('s.workspace_id', '=', workspaceId)
    .where('s.user_id', '=', userId)
    .where('s.deleted_at', 'is', null)

/** By the index of what waits for a person, whichever run of the session asked it. */
const pendingIn = (workspaceId: string) => sql<number>`(
      select count(*)::integer from agent_confirmation c where c.workspace_id = ${workspaceId}
        and c.user_id = s.user_id and c.session_id = s.id and c.status = 'pending' and c.expires_at > now())`

export type SessionRow = NonNullable<Awaited<ReturnType<typeof findSession>>>

const liveRun = object({
  run_id: word('r.id'),
  status: word('r.status'),
  stream_url: sql`'"/api/v1/agent/sessions/' || s.id || '/stream"'`
})

/** As `ChatSession` describes it. */
const shownIn = (workspaceId: string, more: Record<string, JsonText>) => object({
  id: word('s.id'),
  title: json('s.title'),
  title_source: word('s.title_source'),
  created_at: time('s.created_at'),
  last_activity_at: time('s.last_activity_at'),
  live_run: sql`case when r.id is null then 'null' else ${liveRun} end`,
  pending_confirmations: sql`${pendingIn(workspaceId)}`,
  pinned: sql`case when s.pinned_at is null then 'false' else 'true' end`,
  ...more
})

interface SessionPage {
  workspaceId: string
  userId: string
  /** Of words that a title, or one message, has. */
  patterns?: string[] | undefined
  /** The first of those words. */
  first?: string | undefined
  pinned?: boolean | undefined
  beforeAt?: string | undefined
  beforeId?: string | undefined
  limit: number
}

const hasAll = (column: string, patterns: string[] | undefined) =>
  sql<boolean>`${sql.ref(column)} ilike all(${patterns ?? []}::text[])`

/** How many characters of a message are shown, and how many of them are before the word that was found. */
const [excerptLength, lead] = [160, 40]

/** Of the newest message that has all words. */
const excerptOf = (workspaceId: string, patterns: string[] | undefined, first: string | undefined) => {
  const start = sql<number>`greatest(1, strpos(lower(m.search_text), lower(${first ?? ''}::text)) - ${sql.lit(lead)})`
  return sql<string>`coalesce((
    select to_json(substr(m.search_text, ${start}, ${sql.lit(excerptLength)}))::text
    from agent_message m
    where m.workspace_id = ${workspaceId} and m.session_id = s.id and ${hasAll('m.search_text', patterns)}
    order by m.seq desc limit 1), 'null')`
}

const readPage = shaped((db, page: SessionPage) => {
  const { workspaceId, userId, patterns, first, pinned, beforeAt, beforeId, limit } = page
  const found: Record<string, JsonText> =
    patterns === undefined ? {} : { excerpt: excerptOf(workspaceId, patterns, first) }
  return withRun(db, workspaceId, userId)
    .where('s.kind', '=', sql.lit('chat'))
    .select([
      shownIn(workspaceId, found).as('item'),
      's.id',
      sql<string>`to_char(s.last_activity_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('cursor_at')
    ])
    .$if(beforeAt !== undefined, (query) =>
      query.where(sql<boolean>`(s.last_activity_at, s.id) < (${beforeAt}::timestamptz, ${beforeId}::uuid)`)
    )
    .$if(pinned !== undefined, (query) => query.where('s.pinned_at', pinned ? 'is not' : 'is', null))
    .$if(patterns !== undefined, (query) =>
      query.where((where) =>
        where.or([
          hasAll('s.title', patterns),
          where.exists(
            where
              .selectFrom('agent_message as m')
              .select('m.id')
              .where('m.workspace_id', '=', workspaceId)
              .whereRef('m.session_id', '=', 's.id')
              .where(hasAll('m.search_text', patterns))
          )
        ])
      )
    )
    .orderBy('s.last_activity_at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(limit)
})

/** More words than this make a search no narrower, and only slower. */
const maxWords = 10

const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** @returns one page as JSON, most recently active first, by keyset on (last_activity_at, id) */
export const listSessions = (
  db: Db,
  workspaceId: string,
  userId: string,
  { q, pinned, before, limit }: {
    q?: string; pinned?: boolean | undefined; before?: { at: string; id: string }; limit: number
  }
) => {
  const words = q?.trim().split(/\s+/).slice(0, maxWords)
  return readPage(db, {
    workspaceId,
    userId,
    ...(words !== undefined && { patterns: words.map(like), first: words[0] }),
    pinned,
    beforeAt: before?.at,
    beforeId: before?.id,
    limit
  })
}

export const findSession = (db: Db, workspaceId: string, userId: string, id: string) =>
  withRun(db, workspaceId, userId)
    .select([
      's.id',
      's.title',
      's.title_source',
      's.created_at',
      's.last_activity_at',
      's.model',
      's.own_model',
      's.effort',
      's.thinking',
      's.spent_usd_micros',
      sql<boolean>`s.pinned_at is not null`.as('pinned'),
      sql<boolean>`exists (select 1 from agent_share a where a.workspace_id = ${workspaceId} and a.session_id = s.id)`
        .as('shared'),
      's.context_tokens',
      'r.id as run_id',
      'r.status as run_status',
      pendingIn(workspaceId).as('pending_confirmations')
    ])
    .where('s.id', '=', id)
    .executeTakeFirst()

/** @returns false when there is no such session; a title that the person gave stays unless `force` */
export const setTitle = async (
  db: Db,
  workspaceId: string,
  userId: string,
  id: string,
  title: string,
  source: 'auto' | 'user' | 'fallback'
): Promise<string | undefined> => {
  const row = await db
    .updateTable('agent_session')
    .set({
      title: source === 'user' ? title : sql`case when title_source = 'user' then title else ${title} end`,
      title_source: source === 'user' ? 'user' : sql`case when title_source = 'user' then 'user' else ${source} end`
    })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('title')
    .executeTakeFirst()
  return row?.title ?? undefined
}

/** Locks the person's session until the transaction ends. @returns whether there is one */
export const lockSession = async (db: Db, workspaceId: string, userId: string, id: string): Promise<boolean> =>
  await db
    .selectFrom('agent_session')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst() !== undefined

/** Keeps the session in sight, or no longer. */
export const setPinned = async (db: Db, workspaceId: string, id: string, pinned: boolean): Promise<void> => {
  await db
    .updateTable('agent_session')
    .set({ pinned_at: pinned ? now : null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** The model that was chosen is asked no more. */
export const dropOwnModel = async (db: Db, workspaceId: string, id: string, model: string): Promise<void> => {
  await db
    .updateTable('agent_session')
    .set({ own_model: null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('own_model', '=', model)
    .execute()
}

export interface Chosen { model?: string | null, effort?: Effort | null, thinking?: string | null }

/** @returns the model that was chosen for the session; null = the configured one */
export const findOwnModel = async (db: Db, workspaceId: string, userId: string, id: string): Promise<string | null> =>
  (await db.selectFrom('agent_session').select('own_model').where('workspace_id', '=', workspaceId)
    .where('id', '=', id).where('user_id', '=', userId).executeTakeFirst())?.own_model ?? null

/** Keeps what the person chooses for the session, of what is named; null = as configured. */
export const setChosen = async (db: Db, workspaceId: string, id: string, { model, effort, thinking }: Chosen):
Promise<void> => {
  await db
    .updateTable('agent_session')
    .set({
      ...(model !== undefined && { own_model: model }),
      ...(effort !== undefined && { effort }),
      ...(thinking !== undefined && { thinking })
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Hides the session at once; its rows go with the retention job. @returns false when there was none */
export const deleteSession = async (db: Db, workspaceId: string, userId: string, id: string): Promise<boolean> => {
  const row = await db
    .updateTable('agent_session')
    .set({ deleted_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
