import type { FastifyInstance } from 'fastify'
import { saveActivity } from '../../../../db/codehost/activity.js'
import { findHead, lockRef } from '../../../../db/codehost/pushes.js'
import {
  dueReceipts, giveUpReceipts, lockReceipt, maxAttempts, settleReceipt, type ClaimedReceipt, type QueuedReceipt,
  type ReceiptKey, type Settlement
} from '../../../../db/codehost/receipt-queue.js'
import { dropEveryAccess } from '../../../../db/codehost/repositories.js'
import { dropAccessOfOwner, saveReported } from '../../../../db/codehost/reported-repositories.js'
import type { Db } from '../../../../db/index.js'
import type { BatchKind } from '../../../../lib/durable/due-batches.js'
import { grantJob } from './check-grant.js'
import { storable } from '../read-host.js'
import { readEvent, repositoryOf, type Consequences } from '../activity/read-event.js'
import { pushJob, type PushNotice } from '../../../../schemas/deployments/pushes.js'
import { messageOf } from '../../../../schemas/thrown.js'
import { isObject } from '../../../../schemas/unknown.js'

type Deps = Pick<FastifyInstance, 'db' | 'jobs' | 'log' | 'failpoint'>

/** Reports only the newest push of a branch: in whatever order the webhooks come, the last push is built. */
const reportDeployments = async ({ jobs }: Deps, trx: Db, push: Required<PushNotice>): Promise<void> => {
  const ref = `refs/heads/${push.branch}`
  await lockRef(trx, push.workspace_id, push.repo_id, ref)
  const head = await findHead(trx, push.workspace_id, push.repo_id, ref)
  if (head === push.commit) await jobs.enqueue(trx, pushJob, { ...push })
}

const carryOut = async (deps: Deps, trx: Db, workspaceId: string, what: Consequences) => {
  const { activity, push, lostAccess, endedBy } = what
  if (activity) await saveActivity(trx, workspaceId, activity)
  if (push) await reportDeployments(deps, trx, push)
  if (lostAccess && 'repo_id' in lostAccess) await dropEveryAccess(trx, workspaceId, lostAccess.repo_id)
  if (lostAccess && 'owner' in lostAccess) await dropAccessOfOwner(trx, workspaceId, lostAccess.owner)
  if (endedBy) await deps.jobs.enqueue(trx, grantJob, { workspace_id: workspaceId, account_id: endedBy })
}

/** The payload of a webhook, or why there is none. */
type Payload = { value: Record<string, unknown> } | { reason: 'not_json' | 'not_an_object' }

/** A webhook may be set to send a form whose field `payload` is the JSON. */
const textOf = (contentType: string, body: Buffer): string => {
  const text = body.toString('utf8')
  if (!/^application\/x-www-form-urlencoded\b/i.test(contentType)) return text
  return new URLSearchParams(text).get('payload') ?? ''
}

/** @returns the webhook's JSON object */
const readPayload = (contentType: string, body: Buffer): Payload => {
  let value: unknown
  try {
    value = JSON.parse(textOf(contentType, body))
  } catch {
    return { reason: 'not_json' }
  }
  return isObject(value) ? { value } : { reason: 'not_an_object' }
}

const actionOf = ({ action }: Record<string, unknown>): string | null =>
  typeof action === 'string' ? storable(action.slice(0, 100)) : null

/** Writes the consequences of a receipt. @returns how it is settled */
const processReceipt = async (deps: Deps, trx: Db, receipt: QueuedReceipt): Promise<Settlement> => {
  const { workspace_id: workspaceId, event, content_type: type, body } = receipt
  if (receipt.repeated) return { status: 'duplicate', error_code: null }
  const payload = readPayload(type, body)
  if ('reason' in payload) return { status: 'ignored', error_code: payload.reason }
  const { value } = payload
  const consequences = readEvent(event, value, workspaceId)
  const action = actionOf(value)
  if (consequences === 'shape_mismatch') return { status: 'ignored', error_code: consequences, action }
  const repository = repositoryOf(value)
  if (repository) await saveReported(trx, workspaceId, repository)
  if (consequences) await carryOut(deps, trx, workspaceId, consequences)
  const status = consequences ? 'processed' : 'ignored'
  return { status, error_code: null, action, repo_id: repository?.id ?? null }
}

/** Processes receipts; their consequences and their settlement are one commit. */
const settleAll = async (deps: Deps, keys: ReceiptKey[]): Promise<void> => {
  await deps.db.transaction().execute(async (trx) => {
    for (const key of keys) {
      const receipt = await lockReceipt(trx, key)
      if (!receipt) continue
      const settlement = await processReceipt(deps, trx, receipt)
      deps.failpoint('webhook.before_settle')
      await settleReceipt(trx, key, settlement)
    }
  })
  deps.failpoint('webhook.after_settle')
}

/** A receipt that throws is retried later, and fails after the last attempt. */
const processAlone = (deps: Deps, { attempts, ...key }: ClaimedReceipt): Promise<void> =>
  settleAll(deps, [key]).catch(async (error: unknown) => {
    deps.log.warn({ receipt: key.id, attempts, reason: messageOf(error) }, 'a webhook was not processed')
    if (attempts < maxAttempts) return
    await settleReceipt(deps.db, key, { status: 'failed', error_code: 'processing_failed' })
  })

/**
 * Processes receipts at their first attempt together: most of the cost of one is its commit.
 * @returns those to process one by one, so that a receipt that throws, or crashes its process, delays no other
 */
const processTogether = async (deps: Deps, claimed: ClaimedReceipt[]): Promise<ClaimedReceipt[]> => {
  const fresh = claimed.filter(({ attempts }) => attempts === 1)
  if (fresh.length < 2) return claimed
  try {
    await settleAll(deps, fresh)
    return claimed.filter(({ attempts }) => attempts > 1)
  } catch (error) {
    deps.log.warn({ count: fresh.length, reason: messageOf(error) }, 'webhooks are processed one by one')
    return claimed
  }
}

const processClaimed = async (deps: Deps, claimed: ClaimedReceipt[], signal: AbortSignal): Promise<void> => {
  for (const receipt of await processTogether(deps, claimed)) {
    if (signal.aborted) return
    await processAlone(deps, receipt)
  }
}

/** How jobs process the webhook receipts that are due. */
export const receiptKind: BatchKind<ClaimedReceipt, Deps> = {
  job: 'codehost.receipts',
  sweepJob: 'codehost.receipts-sweep',
  rows: dueReceipts,
  claimedAtOnce: 20,
  giveUp: giveUpReceipts,
  run: processClaimed
}
