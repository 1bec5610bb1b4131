import { v4 as random } from 'uuid'
import { clock, clockPlus } from '../clock.js'
import type { Db } from '../index.js'
import type { PseIssueTable } from './tables.js'

const columns = ['repo_id', 'task_key', 'number'] as const

/** Seconds after which a creation that has not ended counts as lost: the code host's client gives up far earlier. */
const claimSeconds = 60

export const listIssues = (db: Db, workspaceId: string, sessionId: string, repoId?: string) =>
  db.selectFrom('pse_issue').select(columns).where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId).$if(repoId !== undefined, (query) => query.where('repo_id', '=', repoId ?? ''))
    .orderBy('repo_id').orderBy('number').execute()

export type IssueRow = Awaited<ReturnType<typeof listIssues>>[number]

export type IssueKey = Pick<PseIssueTable, 'workspace_id' | 'session_id' | 'repo_id' | 'task_key'>

const one = (db: Db, { workspace_id: workspaceId, session_id: sessionId, repo_id: repoId, task_key: key }: IssueKey) =>
  db.updateTable('pse_issue').where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId)
    .where('repo_id', '=', repoId).where('task_key', '=', key)

/** @returns the issue's mark; undefined: it has a number, or another call has just begun to create it */
export const claimIssue = async (db: Db, key: IssueKey): Promise<string | undefined> => {
  const made = await db.insertInto('pse_issue').values({ ...key, mark: random(), number: null })
    .onConflict((on) => on.doNothing()).returning('mark').executeTakeFirst()
  const taken = made ?? await one(db, key).set({ claimed_at: clock }).where('number', 'is', null)
    .where('claimed_at', '<', clockPlus(-claimSeconds)).returning('mark').executeTakeFirst()
  return taken?.mark
}

export const settleIssue = async (db: Db, key: IssueKey, number: number): Promise<void> => {
  await one(db, key).set({ number }).execute()
}

/** The code host refused it: another call may try at once. */
export const releaseIssue = async (db: Db, {
  workspace_id: workspaceId, session_id: sessionId, repo_id: repoId,
  task_key: key
}: IssueKey): Promise<void> => {
  await db.deleteFrom('pse_issue').where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId)
    .where('repo_id', '=', repoId).where('task_key', '=', key).where('number', 'is', null).execute()
}
