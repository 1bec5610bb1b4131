import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Judgement } from 'steward-prose-engine/claims'
import { statementKey } from 'steward-prose-engine/text'
import { now } from '../clock.js'
import type { Db } from '../index.js'

const columns = ['text', 'fact_ids', 'facts_hash', 'verdict', 'reason', 'judged_at', 'accepted_by', 'accepted_at',
  'accepted_because'] as const

const keyFor = (text: string): string => createHash('sha256').update(statementKey(text)).digest('base64url')

/** @returns what of a record was ever judged or accepted */
export const listStatements = (db: Db, workspaceId: string, contentId: string) =>
  db.selectFrom('content_statement').select(columns).where('workspace_id', '=', workspaceId)
    .where('content_id', '=', contentId).orderBy('id').execute()

export type StatementRow = Awaited<ReturnType<typeof listStatements>>[number]

/** Writes what a generation found out; a person's acceptance stays. */
export const storeJudgements = async (trx: Db, workspaceId: string, contentId: string, generationId: string,
  judgements: readonly Judgement[]): Promise<void> => {
  const byKey = new Map(judgements.map((one) => [keyFor(one.text), one]))
  if (byKey.size === 0) return
  await trx.insertInto('content_statement').values([...byKey].map(([key, one]) => ({
    ...one, key, workspace_id: workspaceId, id: uuid(), content_id: contentId, generation_id: generationId, judged_at: now
  }))).onConflict((conflict) => conflict.columns(['workspace_id', 'content_id', 'key']).doUpdateSet((row) => ({
    fact_ids: row.ref('excluded.fact_ids'),
    facts_hash: row.ref('excluded.facts_hash'),
    verdict: row.ref('excluded.verdict'),
    reason: row.ref('excluded.reason'),
    generation_id: row.ref('excluded.generation_id'),
    judged_at: row.ref('excluded.judged_at')
  }))).execute()
}

export interface Acceptance { text: string, by: string, because: string | null }

/** Records who takes a statement on themselves; the first who did stays. */
export const acceptStatement = async (trx: Db, workspaceId: string, contentId: string,
  { text, by, because }: Acceptance): Promise<void> => {
  await trx.insertInto('content_statement').values({
    workspace_id: workspaceId,
    id: uuid(),
    content_id: contentId,
    key: keyFor(text),
    text,
    accepted_by: by,
    accepted_at: now,
    accepted_because: because
  }).onConflict((conflict) => conflict.columns(['workspace_id', 'content_id', 'key']).doUpdateSet((row) => ({
    accepted_by: row.ref('excluded.accepted_by'),
    accepted_at: row.ref('excluded.accepted_at'),
    accepted_because: row.ref('excluded.accepted_because')
  })).where(sql<boolean>`content_statement.accepted_by is null`)).execute()
}
