import { CompiledQuery, sql } from 'kysely'
import { repeatableEvents } from '../../schemas/codehost/events.js'
import type { ReceiptStatus } from '../../schemas/codehost/receipts.js'
import { ago, daysAgo, now } from '../clock.js'
import { anyOf } from '../columns.js'
import { dueBatchesOf, putOffFor } from '../durable/due-rows.js'
import type { Db } from '../index.js'
import { lockText } from '../statement.js'
import { sweep } from '../workers.js'

/** After so many attempts a receipt stays failed. */
export const maxAttempts = 5
const firstPauseS = 15

export interface ReceiptKey { workspace_id: string, id: string }
export interface ClaimedReceipt extends ReceiptKey { attempts: number }

const isDue = sql<boolean>`status = 'queued' and next_attempt_at <= ${now}`

export const dueReceipts = dueBatchesOf<ClaimedReceipt>({
  name: 'codehost_receipt',
  state: 'status',
  columns: ['workspace_id', 'id', 'attempts'],
  isDue,
  onClaim: putOffFor(firstPauseS),
  orderBy: 'next_attempt_at'
})

/** Fails receipts that are due again after their last attempt: the process that made it has crashed. */
export const giveUpReceipts = async (db: Db): Promise<void> => {
  await sweep(db, (reach) => db.updateTable('codehost_receipt')
    .set({ status: 'failed', error_code: 'gave_up', processed_at: now })
    .where(reach(isDue)).where('attempts', '>=', sql.lit(maxAttempts)).execute())
}

/** Copies that arrive at the same moment do not see each other on insert, so settling checks once more. */
const wasSettled = (workspaceId: string) => sql<boolean>`exists (select from codehost_receipt e
  where e.workspace_id = ${workspaceId} and e.body_sha256 = codehost_receipt.body_sha256
    and e.event = codehost_receipt.event and e.id <> codehost_receipt.id and e.status in ('processed', 'ignored')
    and (e.event not in (${sql.join(repeatableEvents.map((event) => sql.lit(event)))})
      or e.received_at > codehost_receipt.received_at - interval '5 minutes'))`

/** Locks the receipt until the transaction ends. @returns it with its body; undefined when it is settled */
export const lockReceipt = (trx: Db, { workspace_id: workspaceId, id }: ReceiptKey) =>
  trx.selectFrom('codehost_receipt').select(['workspace_id', 'id', 'event', 'content_type', 'body'])
    .select(wasSettled(workspaceId).as('repeated'))
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('status', '=', sql.lit('queued'))
    .forUpdate().executeTakeFirst()

export type QueuedReceipt = NonNullable<Awaited<ReturnType<typeof lockReceipt>>>

export interface Settlement {
  status: Exclude<ReceiptStatus, 'queued'>
  error_code: string | null
  action?: string | null
  repo_id?: string | null
}

export const settleReceipt = async (db: Db, { workspace_id: workspaceId, id }: ReceiptKey, settlement: Settlement):
Promise<void> => {
  await db.updateTable('codehost_receipt').set({ ...settlement, processed_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('status', '=', sql.lit('queued')).execute()
}

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

export interface NewReceipt {
  workspace_id: string
  id: string
  delivery_id: string
  event: string
  action: string | null
  content_type: string
  body: Buffer
  body_sha256: Buffer
  secret_id: string
  hook_id: string | null
}

export interface StoredReceipt {
  id: string
  delivery_id: string
  event: string
  action: string | null
  status: ReceiptStatus
}

const columns = [['id', 'uuid'], ['delivery_id', 'text'], ['event', 'text'],
  ['action', 'text'], ['content_type', 'text'], ['body', 'bytea'], ['body_sha256', 'bytea'], ['secret_id', 'text'],
  ['hook_id', 'text']] as const
const names = columns.map(([name]) => name).join(', ')

/** One row of parameters; the last is true when an earlier row of the statement has the same body. */
const rowText = (row: number): string => {
  // The first parameter is the workspace.
  const first = row * (columns.length + 1) + 2
  const cells = [...columns.map(([, type]) => type), 'boolean'].map((type, i) => `$${first + i}::${type}`)
  return `(${cells.join(', ')})`
}

const repeatable = repeatableEvents.map((event) => `'${event}'`).join(', ')

/** A repeatable event with the same body counts as a copy for five minutes only. */
const isCopy = `r.event not in (${repeatable}) or r.received_at > now() - interval '5 minutes'`

/**
 * The text is cached for each number of rows: building it costs more than sending it. Earlier receipts are found with
 * `limit`, not with `exists`: PostgreSQL keeps a plan made while the table is small, which would scan all of it.
 */
const texts = new Map<number, string>()
const insertText = (rows: number): string => {
  const text = texts.get(rows) ?? `
    insert into codehost_receipt (workspace_id, ${names}, status)
    select $1::uuid, ${columns.map(([name]) => `v.${name}`).join(', ')}, case when v.repeated or (
        select true from codehost_receipt r where r.workspace_id = $1::uuid and r.body_sha256 = v.body_sha256
          and r.event = v.event and r.status in ('queued', 'processed', 'ignored') and (${isCopy}) limit 1)
        then 'duplicate' else 'queued' end
    from (values ${Array.from({ length: rows }, (_, row) => rowText(row)).join(', ')}) as v (${names}, repeated)
    on conflict (workspace_id, delivery_id) do nothing
    returning id, delivery_id, event, action, status`
  texts.set(rows, text)
  return text
}

const parametersOf = (receipts: NewReceipt[]): unknown[] => {
  const seen = new Set<string>()
  return receipts.flatMap((receipt) => {
    const key = `${receipt.event} ${receipt.body_sha256.toString('base64')}`
    const repeated = seen.has(key)
    seen.add(key)
    return [...columns.map(([name]) => receipt[name]), repeated]
  })
}

/**
 * Stores receipts of one workspace in one statement. A body that the same event brought in an earlier delivery is a
 * duplicate.
 * @returns the inserted rows, without deliveries that were stored before
 */
export const insertReceipts = async (db: Db, workspaceId: string, receipts: NewReceipt[]): Promise<StoredReceipt[]> => {
  const query = CompiledQuery.raw(insertText(receipts.length), [workspaceId, ...parametersOf(receipts)])
  return (await db.executeQuery<StoredReceipt>(query)).rows
}

const stored = ['id', 'delivery_id', 'event', 'action', 'status'] as const

/** Queues failed deliveries that are sent again. @returns those */
const revive = (db: Db, workspaceId: string, deliveryIds: string[]): Promise<StoredReceipt[]> =>
  db.updateTable('codehost_receipt')
    .set({ status: 'queued', attempts: 0, next_attempt_at: now, error_code: null, processed_at: null })
    .where('workspace_id', '=', workspaceId).where('delivery_id', '=', anyOf(deliveryIds))
    .where('status', '=', sql.lit('failed')).returning(stored).execute()

/** @returns the rows of deliveries that were stored before: as duplicates, or queued again */
export const findDelivered = async (db: Db, workspaceId: string, deliveryIds: string[]): Promise<StoredReceipt[]> => {
  const revived = await revive(db, workspaceId, deliveryIds)
  const rows = await db.selectFrom('codehost_receipt').select(stored).where('workspace_id', '=', workspaceId)
    .where('delivery_id', '=', anyOf(deliveryIds)).execute()
  const queued = new Set(revived.map(({ id }) => id))
  return rows.map((found) => queued.has(found.id) ? found : { ...found, status: 'duplicate' })
}

/** @returns which of these deliveries have arrived */
export const listArrived = async (db: Db, workspaceId: string, deliveryIds: string[]): Promise<string[]> => {
  const rows = await db.selectFrom('codehost_receipt').select('delivery_id').where('workspace_id', '=', workspaceId)
    .where('delivery_id', '=', anyOf(deliveryIds)).where('status', '<>', sql.lit('failed')).execute()
  return rows.map(({ delivery_id: id }) => id)
}

const shown = [...stored, 'error_code', 'secret_id', 'hook_id', 'repo_id', 'received_at', 'processed_at',
  'attempts'] as const

const showing = (db: Db, workspaceId: string) =>
  db.selectFrom('codehost_receipt').select(shown)
    .select(sql<string>`encode(body_sha256, 'hex')`.as('body_sha256'))
    .select(sql<number>`octet_length(body)`.as('body_bytes'))
    .where('workspace_id', '=', workspaceId)

export interface ReceiptFilter { status?: ReceiptStatus, event?: string, repo_id?: string }

/** @returns receipts, the newest first. @param before the last id of the previous page */
export const listReceipts = (db: Db, workspaceId: string, { status, event, repo_id: repoId }: ReceiptFilter,
  before: string | undefined, limit: number) =>
  showing(db, workspaceId)
    .$if(status !== undefined, (query) => query.where(sql<boolean>`status = ${sql.lit(status ?? '')}`))
    .$if(event !== undefined, (query) => query.where('event', '=', event ?? ''))
    .$if(repoId !== undefined, (query) => query.where('repo_id', '=', repoId ?? ''))
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc').limit(limit).execute()

export type ReceiptRow = Awaited<ReturnType<typeof listReceipts>>[number]

export const findReceipt = (db: Db, workspaceId: string, id: string) =>
  showing(db, workspaceId).where('id', '=', id).executeTakeFirst()

/** How long receipts are kept. */
const kept = '30 days'
const deletedAtOnce = 1_000

/** Deletes what is older than 30 days. @returns how many */
export const deleteOldReceipts = async (db: Db): Promise<number> => {
  const { numDeletedRows } = await sweep(db, (reach) => db.deleteFrom('codehost_receipt')
    .where(({ refTuple, selectFrom }) => reach(sql`${refTuple('workspace_id', 'id')} in ${
      selectFrom('codehost_receipt').select(['workspace_id', 'id'])
        .where(reach(sql`received_at < ${ago(kept)}`)).where('status', '<>', sql.lit('queued'))
        .limit(sql.lit(deletedAtOnce))}`)).executeTakeFirst())
  return Number(numDeletedRows)
}

/** The same of one workspace, of those that are older than so many days. @returns how many */
export const deleteReceiptsOf = async (db: Db, workspaceId: string, days: number): Promise<number> => {
  const { numDeletedRows } = await db.deleteFrom('codehost_receipt').where('workspace_id', '=', workspaceId)
    .where('id', 'in', (eb) => eb.selectFrom('codehost_receipt').select('id').where('workspace_id', '=', workspaceId)
      .where('received_at', '<', daysAgo(days)).where('status', '<>', sql.lit('queued')).limit(sql.lit(deletedAtOnce)))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
