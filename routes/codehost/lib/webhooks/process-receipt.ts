import type { FastifyInstance } from 'fastify'
import type { Static, TSchema } from '@sinclair/typebox'
import { saveActivity, type NewActivity } from '../../../../db/codehost/activity.js'
import { dropRefused } from '../../../../db/codehost/grants.js'
import { findByAccount } from '../../../../db/codehost/identities.js'
import {
  findHead, lockRef, dueReceipts, giveUpReceipts, lockReceipt, maxAttempts, settleReceipt, type ClaimedReceipt,
  type QueuedReceipt, type ReceiptKey, type Settlement
} from '../../../../db/codehost/receipts.js'
import {
  dropAccessOfOwner, saveReported, type ReportedRepository, dropEveryAccess
} from '../../../../db/codehost/repositories.js'
import type { Db } from '../../../../db/index.js'
import type { BatchKind } from '../../../../lib/durable/due-batches.js'
import { compileJson } from '../../../../lib/openapi/json-schemas.js'
import {
  AccessEvent, AuthorizationEvent, EventRepository, PullEvent, PushEvent, ReleaseEvent, RepositoryEvent, ReviewEvent
} from '../../../../schemas/codehost/events.js'
import { HostUser } from '../../../../schemas/codehost/upstream.js'
import { pushJob, type PushNotice } from '../../../../schemas/deployments/apps.js'
import { ApiError } from '../../../../schemas/errors.js'
import { messageOf, isObject } from '../../../../schemas/unknown.js'
import { accessFor } from '../access.js'
import {
  toPullActivity, toReviewActivity, noticeOf, toPushActivity, toReleaseActivity, toRepositoryActivity,
  toReportedRepository
} from '../activity/to-activity.js'
import { storable, isCode } from '../read-host.js'

type Deps = Pick<FastifyInstance, 'db' | 'codehost' | 'codehostGrants' | 'log'>

/** The job's name. Its data names the account whose grant is to be checked. */
export const grantJob = 'codehost.check-grant'

const isRevoked = async (deps: Deps, owner: { workspace_id: string, user_id: string }): Promise<boolean> => {
  try {
    const { client } = await accessFor(deps, owner)
    await client.read('GET /user', {}, HostUser)
    return false
  } catch (error) {
    // The client has marked the grant: every further call as this person answers that they must connect again.
    if (isCode(error, 'codehost_reauth_required')) return true
    throw error
  }
}

/**
 * Checks a grant after an event reported that the person revoked it. The event may be old, and the person may have
 * connected again since, so the code host is asked. A revoked grant loses its tokens and its stored rights.
 * @throws codehost_timeout, codehost_error and others: the job is retried
 */
export const checkGrant = async (deps: Deps, workspaceId: string, accountId: string): Promise<void> => {
  const identity = await findByAccount(deps.db, workspaceId, deps.codehostGrants.host, accountId)
  if (!identity || identity.state === 'disconnected') return
  const { id, user_id } = identity
  if (!await isRevoked(deps, { workspace_id: workspaceId, user_id })) return
  const isDropped = await deps.db.transaction().execute((trx) => dropRefused(trx, workspaceId, id))
  if (isDropped) deps.log.info({ user_id }, 'a grant was ended at the code host')
}

/** The consequences of an event. */
interface Consequences {
  activity?: NewActivity[]
  push?: Required<PushNotice> | undefined
  /** The stored rights to drop: those to a repository, or to all repositories of an owner. */
  lostAccess?: { repo_id: string } | { owner: string }
  /** The id of the account whose grant is to be checked, because its owner revoked it. */
  endedBy?: string
}

type Reader = (payload: Record<string, unknown>, workspaceId: string) => Consequences | 'shape_mismatch'

/** The name of an event is not signed: a body that does not match the event has no consequences. */
const reads = <T extends TSchema>(shape: T,
  toConsequences: (event: Static<T>, workspaceId: string) => Consequences): Reader => {
  const fits = compileJson(shape)
  return (payload: unknown, workspaceId) => {
    if (!fits(payload)) return 'shape_mismatch'
    try {
      return toConsequences(payload, workspaceId)
    } catch (error) {
      // An invalid time.
      if (error instanceof ApiError) return 'shape_mismatch'
      throw error
    }
  }
}

const activityOf = (item: NewActivity | undefined): Consequences => item ? { activity: [item] } : {}

const hides = new Set(['privatized', 'publicized', 'deleted', 'transferred', 'archived', 'unarchived'])

const access = reads(AccessEvent, ({ repository, organization, installation }) => {
  if (repository) return { lostAccess: { repo_id: String(repository.id) } }
  const owner = organization?.login ?? installation?.account?.login
  return owner ? { lostAccess: { owner } } : {}
})

const authorization = reads(AuthorizationEvent, ({ action, sender }): Consequences =>
  action === 'revoked' ? { endedBy: String(sender.id) } : {})

const readers: Record<string, Reader> = {
  push: reads(PushEvent, (event, workspaceId) =>
    ({ activity: [toPushActivity(event)], push: noticeOf(workspaceId, event) })),
  pull_request: reads(PullEvent, (event) => activityOf(toPullActivity(event))),
  pull_request_review: reads(ReviewEvent, (event) => activityOf(toReviewActivity(event))),
  release: reads(ReleaseEvent, (event) => activityOf(toReleaseActivity(event))),
  repository: reads(RepositoryEvent, (event) => ({
    ...activityOf(toRepositoryActivity(event)),
    ...(hides.has(event.action) && { lostAccess: { repo_id: String(event.repository.id) } })
  })),
  ping: () => ({}),
  member: access,
  membership: access,
  organization: access,
  team: access,
  team_add: access,
  public: access,
  installation: access,
  installation_repositories: access,
  github_app_authorization: authorization
}

/** @returns the consequences of an event; undefined for an event that we do not read */
const readEvent = (event: string, payload: Record<string, unknown>, workspaceId: string):
Consequences | 'shape_mismatch' | undefined =>
  Object.hasOwn(readers, event) ? readers[event]?.(payload, workspaceId) : undefined

const isRepository = compileJson(EventRepository)

/** @returns the repository's record in an event, if it has one */
const repositoryOf = ({ repository }: Record<string, unknown>): ReportedRepository | undefined =>
  isRepository(repository) ? toReportedRepository(repository) : undefined

type ProcessReceiptDeps = Pick<FastifyInstance, 'db' | 'jobs' | 'log' | 'failpoint'>

/** Reports only the newest push of a branch: in whatever order the webhooks come, the last push is built. */
const reportDeployments = async ({ jobs }: ProcessReceiptDeps, trx: Db, push: Required<PushNotice>): Promise<void> => {
  const ref = `refs/heads/${push.branch}`
  await lockRef(trx, push.workspace_id, push.repo_id, ref)
  const head = await findHead(trx, push.workspace_id, push.repo_id, ref)
  if (head === push.commit) await jobs.enqueue(trx, pushJob, { ...push })
}

const carryOut = async (deps: ProcessReceiptDeps, trx: Db, workspaceId: string, what: Consequences) => {
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
const processReceipt = async (deps: ProcessReceiptDeps, trx: Db, receipt: QueuedReceipt): Promise<Settlement> => {
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
const settleAll = async (deps: ProcessReceiptDeps, keys: ReceiptKey[]): Promise<void> => {
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
const processAlone = (deps: ProcessReceiptDeps, { attempts, ...key }: ClaimedReceipt): Promise<void> =>
  settleAll(deps, [key]).catch(async (error: unknown) => {
    deps.log.warn({ receipt: key.id, attempts, reason: messageOf(error) }, 'a webhook was not processed')
    if (attempts < maxAttempts) return
    await settleReceipt(deps.db, key, { status: 'failed', error_code: 'processing_failed' })
  })

/**
 * Processes receipts at their first attempt together: most of the cost of one is its commit.
 * @returns those to process one by one, so that a receipt that throws, or crashes its process, delays no other
 */
const processTogether = async (deps: ProcessReceiptDeps, claimed: ClaimedReceipt[]): Promise<ClaimedReceipt[]> => {
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

const processClaimed = async (deps: ProcessReceiptDeps, claimed: ClaimedReceipt[], signal: AbortSignal): Promise<void> => {
  for (const receipt of await processTogether(deps, claimed)) {
    if (signal.aborted) return
    await processAlone(deps, receipt)
  }
}

/** How jobs process the webhook receipts that are due. */
export const receiptKind: BatchKind<ClaimedReceipt, ProcessReceiptDeps> = {
  job: 'codehost.receipts',
  sweepJob: 'codehost.receipts-sweep',
  rows: dueReceipts,
  claimedAtOnce: 20,
  giveUp: giveUpReceipts,
  run: processClaimed
}
