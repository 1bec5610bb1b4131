import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/**
 * A standing test of tenancy: whatever a test does, each statement that the service sends is of one workspace, or is one
 * of those that look over all of them, which are named here. Tests are found out by the stack: they look where they like.
 */

/** Functions of db/ that look over all workspaces: they delete what is old, or find work that is due anywhere. */
export const acrossWorkspaces: readonly string[] = [
  'db/account/assistants.ts deleteOldAssistants', 'db/account/oauth-clients.ts deleteOldStates',
  // The installation's first workspace, before anybody has signed in.
  'db/account/workspace.ts findOrCreateWorkspace',
  'db/agent/attachments.ts deleteUnused', 'db/agent/confirmations.ts findExpired', 'db/agent/firings.ts dueFirings.listLate',
  'db/agent/queue.ts dueMessages.listLate', 'db/agent/retention.ts compactStreams', 'db/agent/retention.ts purgeSessions',
  // A figure of the installation's metrics.
  'db/agent/runs.ts readPending', 'db/content/publications.ts countOverdue',
  'db/agent/runs.ts runLeases.findClaimable', 'db/agent/triggers.ts dueTriggers.listLate',
  // Slack sends a code, which says whose it is.
  'db/channels/channels.ts linkByCode',
  'db/channels/channels.ts listDueDigests', 'db/channels/clicks.ts dueClicks.listLate', 'db/channels/clicks.ts listToLook',
  'db/channels/deliveries.ts deleteOldDeliveries', 'db/channels/deliveries.ts dueDeliveries.listLate',
  'db/codehost/receipts.ts deleteOldReceipts', 'db/codehost/receipts.ts dueReceipts.claim',
  'db/codehost/receipts.ts giveUpReceipts', 'db/codehost/repositories.ts listHooked', 'db/content/contents.ts purgeDeleted',
  'db/content/generation-progress.ts generationLeases.findClaimable', 'db/content/publications.ts duePublications.listLate',
  'db/deployments/apps.ts purgeApps', 'db/deployments/leases.ts buildLeases.findClaimable',
  // A new key of the installation: every cell is encrypted anew.
  'db/encrypted-columns.ts listEncryptedCells',
  'db/idempotency.ts deleteOldKeys', 'db/infrastructure/service-deployments.ts dueDeployments.listLate',
  'db/pse/progress.ts generationLeases.findClaimable', 'db/pse/sessions.ts purgeSessions',
  'db/record/chain.ts listToNumber', 'db/record/chain.ts listToSign',
  'db/record/destinations.ts dueDestinations.listLate'
]

/** A usual limit is part of the text, another a parameter. */
const plain = (sql: string): string => sql.replace(/\s+/g, ' ').replace(/ limit (\d+|\$\d+)/g, ' limit n').trim()

/** @returns each statement of the snapshot with the function that sends it */
export const readSnapshot = (): { by: string, sql: string }[] =>
  readFileSync('test/db/queries.snapshot.sql', 'utf8').split(/\n(?=-- db\/)/).flatMap((block) => {
    const [head = '', ...lines] = block.split('\n')
    return lines.join('\n').split(/;\s*(?:\n|$)/).map(plain).filter((sql) => sql !== '')
      .map((sql) => ({ by: head.replace(/^-- /, ''), sql }))
  })

/** Tables whose rows belong to a workspace. */
let tables: Set<string> | undefined
const tenantTables = (): Set<string> => {
  tables ??= new Set(readSnapshot().flatMap(({ sql }) =>
    [...sql.matchAll(/insert into "?([a-z_]+)"? \([^)]*"?workspace_id/g)].flatMap(([, table]) => table ?? [])))
  return tables
}

const isOfTenants = (sql: string): boolean =>
  [...sql.matchAll(/\b(?:from|update|join) "?([a-z_]+)"?/g)].some(([, table = '']) => tenantTables().has(table))

const reads = /^(select|update|delete|with)\b/
const bound = /"?workspace_id"?\)? (=|in|is not distinct from) (\(?\$|any|\(|'|now|unnest)/

/** @returns whether a statement that reads or changes rows names the workspace that they are of */
export const isOfOneWorkspace = (sql: string): boolean => !reads.test(sql) || !isOfTenants(sql) || bound.test(sql)

/** Stacks name the sources, or what was built of them. */
const folders = ['test', 'eval'].flatMap((name) => [join(process.cwd(), name, sep), join(process.cwd(), 'dist', name, sep)])

const known = new Set<string>()
const found = new Set<string>()

const isSentByTest = (): boolean => {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 100
  const { stack = '' } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  // By whole paths: the folder of the project may have any name.
  return stack.split('\n').some((frame) => folders.some((folder) => frame.includes(folder)) && !frame.includes('tenancy'))
}

/** Watches each statement from now on. */
export const watchStatements = (): void => {
  for (const { by, sql } of readSnapshot()) if (acrossWorkspaces.includes(by)) known.add(sql)
  subscribe('steward:statement', (message) => {
    const sql = plain(String(message))
    if (known.has(sql)) return
    if (isOfOneWorkspace(sql)) known.add(sql)
    else if (!isSentByTest()) found.add(sql)
  })
}

/** @returns the statements since the last time that were of no workspace */
export const takeUnbound = (): string[] => {
  const taken = [...found].map((sql) => `a statement of no workspace: ${sql.slice(0, 400)}`)
  found.clear()
  return taken
}
