import { sql } from 'kysely'
import { ago } from '../clock.js'
import { sumOf, anyOf } from '../columns.js'
import type { Db } from '../index.js'
import { sweep } from '../workers.js'
import type { AgentAttachmentTable } from './tables.js'

export interface NewAttachment {
  workspace_id: string
  id: string
  user_id: string
  name: string
  kind: AgentAttachmentTable['kind']
  media_type: string
  size: number
  /** What it may weigh in a request, estimated. */
  tokens: number
  data: Buffer
}

const shown = ['id', 'name', 'kind', 'media_type', 'size', 'tokens'] as const

export type AttachmentRow = Pick<NewAttachment, typeof shown[number]>

export const insertAttachment = (db: Db, attachment: NewAttachment): Promise<AttachmentRow> =>
  db.insertInto('agent_attachment').values(attachment).returning(shown).executeTakeFirstOrThrow()

/** @returns bytes of all that a person has attached */
export const sumAttachments = async (db: Db, workspaceId: string, userId: string): Promise<number> =>
  (await db.selectFrom('agent_attachment').select(sumOf('size').as('size'))
    .where('workspace_id', '=', workspaceId).where('user_id', '=', userId).executeTakeFirstOrThrow()).size

/** @returns those of the ids that are the person's, in any order */
export const listAttachments = (db: Db, workspaceId: string, userId: string, ids: readonly string[]):
Promise<AttachmentRow[]> =>
  db.selectFrom('agent_attachment').select(shown)
    .where('workspace_id', '=', workspaceId).where('user_id', '=', userId).where('id', '=', anyOf(ids)).execute()

/** @returns one of the person's, with its bytes */
export const findAttachment = (db: Db, workspaceId: string, userId: string, id: string) =>
  db.selectFrom('agent_attachment').select([...shown, 'data'])
    .where('workspace_id', '=', workspaceId).where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()

/** @returns the bytes of those that are still there */
export const readAttachments = (db: Db, workspaceId: string, ids: readonly string[]) =>
  db.selectFrom('agent_attachment').select(['id', 'data'])
    .where('workspace_id', '=', workspaceId).where('id', '=', anyOf(ids)).execute()

/** From now on they go with the session, with the last one where several have them. */
export const bindAttachments = async (db: Db, workspaceId: string, sessionId: string, ids: readonly string[]):
Promise<void> => {
  const rows = [...new Set(ids)].map((id) => ({ workspace_id: workspaceId, session_id: sessionId, attachment_id: id }))
  await db.insertInto('agent_session_attachment').values(rows).onConflict((conflict) => conflict.doNothing()).execute()
  await db.updateTable('agent_attachment').set({ sent: true })
    .where('workspace_id', '=', workspaceId).where('id', '=', anyOf(ids)).where('sent', '=', false).execute()
}

/** Gives a new session the files of the one that it is a copy of. */
export const copyAttachments = async (trx: Db, workspaceId: string, from: string, to: string): Promise<void> => {
  await trx.insertInto('agent_session_attachment').columns(['workspace_id', 'session_id', 'attachment_id'])
    .expression((build) => build.selectFrom('agent_session_attachment')
      .select(['workspace_id', sql<string>`${to}::uuid`.as('session_id'), 'attachment_id'])
      .where('workspace_id', '=', workspaceId).where('session_id', '=', from)).execute()
}

/** Deletes the files of a session that is purged, but for those that another session has; in a transaction. */
export const purgeAttachments = async (trx: Db, workspaceId: string, sessionId: string): Promise<void> => {
  const held = await trx.selectFrom('agent_session_attachment').select('attachment_id as id')
    .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId).execute()
  if (held.length === 0) return
  const ids = held.map(({ id }) => id)
  // Of two sessions that are purged at once, the second finds that it was the last.
  await trx.selectFrom('agent_attachment').select('id').where('workspace_id', '=', workspaceId)
    .where('id', '=', anyOf(ids)).orderBy('id').forUpdate().execute()
  await trx.deleteFrom('agent_session_attachment').where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId).execute()
  await trx.deleteFrom('agent_attachment as a').where('a.workspace_id', '=', workspaceId).where('a.id', '=', anyOf(ids))
    .where(({ exists, not, selectFrom }) => not(exists(selectFrom('agent_session_attachment as u')
      .select('u.attachment_id').where('u.workspace_id', '=', workspaceId).whereRef('u.attachment_id', '=', 'a.id'))))
    .execute()
}

/** Deletes what was never sent. */
export const deleteUnused = async (db: Db): Promise<void> => {
  await sweep(db, async (reach) => {
    await db.deleteFrom('agent_attachment').where('sent', '=', sql.lit(false))
      .where(reach(sql<boolean>`created_at < ${ago('7 days')}`)).execute()
    return []
  })
}
