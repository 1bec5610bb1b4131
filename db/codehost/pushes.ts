import type { Db } from '../index.js'
import { lockText } from '../locks.js'

/** Serializes the transactions that decide which push of a ref is the newest. */
export const lockRef = async (trx: Db, workspaceId: string, repoId: string, ref: string): Promise<void> => {
  await lockText(trx, `${workspaceId} ${repoId} ${ref}`)
}

/**
 * Derives the commit of a ref from its stored pushes: the latest one; of several with the same time, the one that no
 * other starts from.
 * @returns undefined when no push is known
 */
export const findHead = async (db: Db, workspaceId: string, repoId: string, ref: string):
Promise<string | undefined> => {
  const row = await db.selectFrom('codehost_activity as a').select('a.after')
    .where('a.workspace_id', '=', workspaceId).where('a.repo_id', '=', repoId).where('a.ref', '=', ref)
    .where('a.after', 'is not', null)
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('codehost_activity as b').select('b.id')
      .where('b.workspace_id', '=', workspaceId).whereRef('b.repo_id', '=', 'a.repo_id')
      .whereRef('b.ref', '=', 'a.ref').whereRef('b.before', '=', 'a.after')
      .whereRef('b.occurred_at', '=', 'a.occurred_at').whereRef('b.id', '<>', 'a.id'))))
    .orderBy('a.occurred_at', 'desc').orderBy('a.id', 'desc').limit(1).executeTakeFirst()
  return row?.after ?? undefined
}

/** @returns whether a later push of the branch is stored, so that this one need not be built any more */
export const isOutdated = async (db: Db, workspaceId: string, repoId: string, branch: string, commit: string):
Promise<boolean> => {
  const head = await findHead(db, workspaceId, repoId, `refs/heads/${branch}`)
  return head !== undefined && head !== commit
}
