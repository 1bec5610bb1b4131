import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Chunk, InputKind } from 'steward-spec-engine/schemas'
import { count, anyOf } from '../columns.js'
import type { Db } from '../index.js'
import type { InputAbout, PseInputTable } from './tables.js'

const columns = ['id', 'session_id', 'seq', 'kind', 'label', 'source', 'trust', 'superseded_by', 'media_type', 'bytes',
  'chars', 'sha256', 'truncated', 'pages', 'created_by', 'created_at'] as const

const chunksOf = (workspaceId: string) => sql<number>`(select count(*)::integer from pse_chunk c
  where c.workspace_id = ${workspaceId} and c.session_id = i.session_id and c.input_seq = i.seq)`

const selectInputs = (db: Db, workspaceId: string, sessionId: string) => db.selectFrom('pse_input as i')
  .select(columns.map((column) => `i.${column}` as const)).select(chunksOf(workspaceId).as('chunks'))
  .where('i.workspace_id', '=', workspaceId).where('i.session_id', '=', sessionId)

/** @returns the session's inputs after a seq, in order, without their texts */
export const listInputs = (db: Db, workspaceId: string, sessionId: string, after: number, limit: number) =>
  selectInputs(db, workspaceId, sessionId).where('i.seq', '>', after).orderBy('i.seq').limit(limit).execute()

export type InputRow = Awaited<ReturnType<typeof listInputs>>[number]

export const findInput = (db: Db, workspaceId: string, sessionId: string, id: string) =>
  selectInputs(db, workspaceId, sessionId).where('i.id', '=', id).select('i.text').executeTakeFirst()

export interface NewInputRow extends Pick<PseInputTable, 'kind' | 'label' | 'trust' | 'media_type' | 'bytes' |
  'sha256' | 'truncated' | 'pages' | 'text' | 'source_key'> {
  source: Record<string, unknown>
  about: InputAbout | null
  detail: unknown
  chunks: Omit<Chunk, 'chunk_id'>[]
}

const insertChunks = async (db: Db, workspaceId: string, sessionId: string, seq: number,
  chunks: NewInputRow['chunks']): Promise<void> => {
  if (chunks.length === 0) return
  await db.insertInto('pse_chunk').values(chunks.map(({ heading_path, char_start, char_end, sha256, token_estimate },
    at) => ({
    workspace_id: workspaceId,
    session_id: sessionId,
    input_seq: seq,
    number: at + 1,
    heading_path: JSON.stringify(heading_path),
    char_start,
    char_end,
    sha256,
    token_estimate
  }))).execute()
}

/** Marks the inputs of the same source as superseded. @returns the number of their characters */
const supersede = async (db: Db, workspaceId: string, sessionId: string, key: string, seq: number): Promise<number> => {
  const rows = await db.updateTable('pse_input').set({ superseded_by: seq })
    .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId).where('source_key', '=', key)
    .where('superseded_by', 'is', null).where('seq', '<', seq).returning('chars').execute()
  return rows.reduce((sum, { chars }) => sum + chars, 0)
}

/** Marks one decision as superseded. @returns the number of its characters; undefined = not found */
export const supersedeDecision = async (db: Db, workspaceId: string, sessionId: string, id: string, seq: number):
Promise<number | undefined> => {
  const row = await db.updateTable('pse_input').set({ superseded_by: seq })
    .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId).where('id', '=', id)
    .where('kind', '=', 'decision').where('superseded_by', 'is', null).where('seq', '<', seq)
    .returning('chars').executeTakeFirst()
  return row?.chars
}

/** Inserts an input. In a transaction, under the session's lock. @returns the number of characters it replaces */
export const insertInput = async (db: Db, workspaceId: string, sessionId: string, userId: string, seq: number,
  input: NewInputRow): Promise<number> => {
  const { chunks, source, about, detail, ...rest } = input
  await db.insertInto('pse_input').values({
    ...rest,
    workspace_id: workspaceId,
    session_id: sessionId,
    id: uuid(),
    seq,
    source: JSON.stringify(source),
    about: about && JSON.stringify(about),
    detail: detail === null ? null : JSON.stringify(detail),
    chars: input.text.length,
    superseded_by: null,
    created_by: userId
  }).execute()
  await insertChunks(db, workspaceId, sessionId, seq, chunks)
  return input.source_key === null ? 0 : supersede(db, workspaceId, sessionId, input.source_key, seq)
}

/** @returns the inputs up to a seq with their texts, as of that seq, and all waivers, which apply at once */
export const readMaterial = async (db: Db, workspaceId: string, sessionId: string, upTo: number) => {
  const inputs = await db.selectFrom('pse_input')
    .select(['id', 'seq', 'kind', 'label', 'media_type', 'text', 'about', 'trust', 'detail', 'sha256', 'source',
      sql<string | null>`source ->> 'left_out'`.as('left_out'),
      sql<boolean>`coalesce(kind = 'waiver' or superseded_by <= ${upTo}, false) and superseded_by is not null`
        .as('superseded')])
    .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId)
    .where(sql<boolean>`(seq <= ${upTo} or kind = 'waiver')`)
    .orderBy('seq').execute()
  const chunks = await db.selectFrom('pse_chunk')
    .select(['input_seq', 'number', 'heading_path', 'char_start', 'char_end', 'sha256', 'token_estimate'])
    .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId).where('input_seq', '<=', upTo)
    .orderBy('input_seq').orderBy('number').execute()
  return { inputs, chunks }
}

/** @returns whether the session has an input of these kinds that is not superseded */
export const hasInputOf = async (db: Db, workspaceId: string, sessionId: string, kinds: readonly InputKind[]) =>
  await db.selectFrom('pse_input').select('seq').where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId).where('kind', '=', anyOf(kinds))
    .where('superseded_by', 'is', null).limit(1).executeTakeFirst() !== undefined

/** @returns how many inputs of kind feedback the session has */
export const countFeedback = async (db: Db, workspaceId: string, sessionId: string): Promise<number> =>
  (await db.selectFrom('pse_input').select(count.as('count'))
    .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId).where('kind', '=', 'feedback')
    .where('superseded_by', 'is', null).executeTakeFirstOrThrow()).count
