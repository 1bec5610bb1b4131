import { createHash } from 'node:crypto'
import type { CheckReport, SpecDocument } from 'steward-spec-engine/schemas'
import type { SpecReview } from '../../schemas/pse/versions.js'
import type { Db } from '../index.js'
import { sql } from 'kysely'
import type { PinnedStandard, PseVersionTable } from './tables.js'

const columns = ['session_id', 'version', 'parent_version', 'generation_id', 'origin', 'settled_version', 'inputs_seq',
  'content_hash', 'standards', 'engine', 'requirements', 'open_questions', 'created_by', 'created_at'] as const

const ofSession = (db: Db, workspaceId: string, sessionId: string) => db.selectFrom('pse_version')
  .select(columns).where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId)

/** @returns the session's versions before a number, newest first, without their documents */
export const listVersions = (db: Db, workspaceId: string, sessionId: string, before: number | undefined,
  limit: number) =>
  ofSession(db, workspaceId, sessionId)
    .select(sql<CheckReport['verdict'] | null>`checks->>'verdict'`.as('check_verdict'))
    .$if(before !== undefined, (query) => query.where('version', '<', Number(before)))
    .orderBy('version', 'desc').limit(limit).execute()

export type VersionSummaryRow = Awaited<ReturnType<typeof listVersions>>[number]

export const findVersion = (db: Db, workspaceId: string, sessionId: string, version: number) =>
  ofSession(db, workspaceId, sessionId).select(['document', 'checks', 'reviews']).where('version', '=', version)
    .executeTakeFirst()

export type VersionRow = NonNullable<Awaited<ReturnType<typeof findVersion>>>

export interface NewVersion extends Pick<PseVersionTable, 'version' | 'parent_version' | 'generation_id' | 'origin' |
  'inputs_seq' | 'created_by'> {
  document: SpecDocument
  standards: PinnedStandard[]
  checks: CheckReport | null
}

/** @returns SHA-256 of the document's JSON as stored */
export const hashDocument = (document: SpecDocument): string =>
  createHash('sha256').update(JSON.stringify(document)).digest('hex')

/** The version that was approved or imported last. */
const findSettled = async (db: Db, workspaceId: string, sessionId: string): Promise<number | null> => {
  const row = await db.selectFrom('pse_session')
    .select(sql<number | null>`greatest(approved_version, (select max(v.version) from pse_version v
      where v.workspace_id = ${workspaceId} and v.session_id = ${sessionId} and v.origin = 'imported'))`.as('version'))
    .where('workspace_id', '=', workspaceId).where('id', '=', sessionId).executeTakeFirst()
  return row?.version ?? null
}

/** Adds a version. In a transaction, under the session's lock. */
export const insertVersion = async (db: Db, workspaceId: string, sessionId: string, made: NewVersion):
Promise<void> => {
  const { document, standards, checks, ...rest } = made
  await db.insertInto('pse_version').values({
    ...rest,
    workspace_id: workspaceId,
    session_id: sessionId,
    settled_version: await findSettled(db, workspaceId, sessionId),
    document: JSON.stringify(document),
    content_hash: hashDocument(document),
    standards: JSON.stringify(standards),
    checks: checks && JSON.stringify(checks),
    engine: document.engine.name,
    requirements: document.requirements.filter(({ status }) => status === 'active').length,
    open_questions: document.open_questions.filter(({ status }) => status === 'open').length
  }).execute()
}

/** Replaces a version's checks, for example after a waiver; its document never changes. */
export const updateChecks = async (db: Db, workspaceId: string, sessionId: string, version: number,
  checks: CheckReport, reviews?: SpecReview[]): Promise<void> => {
  await db.updateTable('pse_version')
    .set({ checks: JSON.stringify(checks), ...(reviews && { reviews: JSON.stringify(reviews) }) })
    .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId).where('version', '=', version)
    .execute()
}
