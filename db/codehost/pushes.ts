import { sql } from 'kysely'
import type { Db } from '../index.js'

/** Whoever judges which push of a ref is the newest waits here for the others, until the transaction ends. */
export const lockRef = async (trx: Db, workspaceId: string, repoId: string, ref: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${workspaceId} ${repoId} ${ref}`}, 0))`.execute(trx)
}

/**
 * The commit that a ref leads to by what is known of its pushes: the last of them, and of several at one time the
 * one from which no other goes on.
 * @returns undefined when no push is known
 */
export const findHead = async (db: Db, workspaceId: string, repoId: string, ref: string):
Promise<string | undefined> => {
  const { rows: [row] } = await sql<{ after: string }>`
    select a.after from codehost_activity a
    where a.workspace_id = ${workspaceId} and a.repo_id = ${repoId} and a.ref = ${ref} and a.after is not null
      and not exists (select from codehost_activity b
        where b.workspace_id = a.workspace_id and b.repo_id = a.repo_id and b.ref = a.ref and b.before = a.after
          and b.occurred_at = a.occurred_at and b.id <> a.id)
    order by a.occurred_at desc, a.id desc limit 1`.execute(db)
  return row?.after
}

/** @returns whether a later push of the branch is known, so that this one need not be built any more */
export const isOutdated = async (db: Db, workspaceId: string, repoId: string, branch: string, commit: string):
Promise<boolean> => {
  const head = await findHead(db, workspaceId, repoId, `refs/heads/${branch}`)
  return head !== undefined && head !== commit
}
