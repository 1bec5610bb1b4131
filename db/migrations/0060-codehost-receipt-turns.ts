import { sql, type Kysely } from 'kysely'

/** Whether a workspace has receipts that are due: the workspaces take turns. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create index codehost_receipt_turn on codehost_receipt (workspace_id, next_attempt_at)
    where status = 'queued'`.execute(db)
}
