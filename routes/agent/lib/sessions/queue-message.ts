import { v7 as uuid } from 'uuid'
import type { FastifyInstance } from 'fastify'
import {
  deleteQueued, dueMessages, expediteFirst, insertQueued, isQueued, listQueued, queuePause, type QueuedRow
} from '../../../../db/agent/queue.js'
import { lockSession } from '../../../../db/agent/sessions.js'
import type { WorkKey } from '../../../../db/durable/leases.js'
import { findPerson, findTokenStatus } from '../../../../lib/account/people.js'
import { advanceDue, type DueKind } from '../../../../lib/durable/due-jobs.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ChatContext, QueueMessage, QueuedMessage } from '../../../../schemas/agent/chat.js'
import { ApiError, Overloaded } from '../../../../schemas/errors.js'
import { messageOf } from '../../../../schemas/unknown.js'
import type { Engine } from '../loop/engine.js'
import {
  ApprovalsPending, ProjectNotFound, SessionBusy, SessionNotFound, TooManyQueued, TooManyRuns, TooManyWaiting
} from '../errors.js'
import { requireValid, startChat } from './start-chat.js'
import type { Deps } from '../run/run-state.js'

export type QueueDeps = Deps & Pick<FastifyInstance, 'jobs'> & { engine: Engine }

/** Messages that wait in one session. */
const maxQueued = 10

/** How long a lost job may hold up a message: the job is made in the transaction that stores the message. */
const sweepMs = 600_000

/** The session, the person or this instance is not free yet. */
const waitsFor: ReadonlySet<string> = new Set(
  [SessionBusy, ApprovalsPending, TooManyRuns, TooManyWaiting, Overloaded].map(({ code }) => code))

/** @returns the writer with the rights of now; undefined when they may do nothing more */
const findWriter = async ({ db }: QueueDeps, { workspace_id, user_id, principal }: QueuedRow):
Promise<Principal | undefined> => {
  const { scopes, via, via_id } = principal
  const [person, token] = await Promise.all([
    findPerson(db, workspace_id, user_id),
    via === 'token' && via_id !== null ? findTokenStatus(db, workspace_id, via_id) : 'active'
  ])
  if (person?.status !== 'active' || token !== 'active') return undefined
  const { name, role, bindings } = person
  return { workspace_id, user_id, name, role, bindings, scopes, via, via_id }
}

/** The key makes it one run, however often this is tried. A project that is gone is left out. */
const start = async (deps: QueueDeps, row: QueuedRow, principal: Principal): Promise<void> => {
  const { message, session_id, attachment_ids } = row
  const body = { message, session_id, attachment_ids, on_pending: 'reject' as const }
  // Stored as the request's schema let it in.
  const context = row.context as ChatContext | null
  const { request_id: requestId, remote_address: remoteAddress } = row
  const call = { principal, body, idempotencyKey: `queued-${row.id}`, requestId, remoteAddress }
  await startChat(deps, deps.engine, { ...call, body: { ...body, ...(context && { context }) } })
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.code === ProjectNotFound.code) return startChat(deps, deps.engine, call)
      throw error
    })
}

/** @returns seconds until the next try; undefined when the message was sent, or never can be */
const send = async (deps: QueueDeps, row: QueuedRow): Promise<number | undefined> => {
  const { workspace_id: workspaceId, session_id: sessionId, id } = row
  try {
    const writer = await findWriter(deps, row)
    if (writer) await start(deps, row, writer)
    else deps.log.info({ queued_message_id: id }, 'a queued message is dropped: its writer may do nothing more')
  } catch (error) {
    if (error instanceof ApiError && waitsFor.has(error.code)) return queuePause
    if (!(error instanceof ApiError) || error.statusCode >= 500) throw error
    deps.log.info({ queued_message_id: id, reason: messageOf(error) }, 'a queued message is dropped')
  }
  await deleteQueued(deps.db, workspaceId, sessionId, id)
  return undefined
}

/** Messages that wait for their session to be free. */
export const queuedMessages: DueKind<QueuedRow, QueueDeps> = {
  job: 'agent.send-queued-message',
  sweepJob: 'agent.sweep-queued-messages',
  idName: 'message_id',
  rows: dueMessages,
  sweepMs,
  run: send,
  untilDue: async ({ db }, { workspace_id, id }) => await isQueued(db, workspace_id, id) ? queuePause : undefined
}

/** Sends what waits as soon as a run of this process has ended; messages from elsewhere wait for their job. */
export class Queue {
  readonly #sessions = new Set<string>()

  constructor (private readonly deps: () => QueueDeps) {}

  /** Something waits in the session. */
  add (sessionId: string): void {
    this.#sessions.add(sessionId)
  }

  /** The session may be free: its first message is sent, and its job finds it gone. */
  async sendFirst (session: Pick<QueuedRow, 'workspace_id' | 'session_id'>): Promise<void> {
    const { workspace_id: workspaceId, session_id: sessionId } = session
    if (!this.#sessions.has(sessionId)) return
    const deps = this.deps()
    try {
      const id = await expediteFirst(deps.db, workspaceId, sessionId)
      if (id === undefined) this.#sessions.delete(sessionId)
      else await advanceDue(deps, queuedMessages, { workspace_id: workspaceId, id })
    } catch (error) {
      deps.log.warn({ session_id: sessionId, reason: messageOf(error) }, 'a queued message waits for its job')
    }
  }
}

interface Queueing { principal: Principal, body: QueueMessage, requestId: string, remoteAddress: string }

/**
 * Stores a message that is sent when the session's live run has ended; at once when none is live.
 * @throws session_not_found, too_many_queued, message_too_large, project_not_found
 */
export const queueMessage = async (deps: QueueDeps, queue: Queue, sessionId: string, queueing: Queueing):
Promise<QueuedMessage> => {
  const { principal, body: { message, context, attachment_ids = [] }, requestId, remoteAddress } = queueing
  const { workspace_id, user_id, scopes, via, via_id } = principal
  await requireValid(deps, queueing)
  const key: WorkKey = { workspace_id, id: uuid() }
  const stored = await deps.db.transaction().execute(async (trx) => {
    if (!await lockSession(trx, workspace_id, user_id, sessionId)) throw SessionNotFound()
    const waiting = await listQueued(trx, workspace_id, sessionId)
    if (waiting.length >= maxQueued) throw TooManyQueued(`${maxQueued} messages wait; take one back, or stop the run`)
    const row = await insertQueued(trx, {
      ...key,
      session_id: sessionId,
      user_id,
      principal: { scopes, via, via_id },
      message,
      context: context ?? null,
      attachment_ids,
      request_id: requestId,
      remote_address: remoteAddress
    })
    const { job, idName } = queuedMessages
    await deps.jobs.enqueue(trx, job, { workspace_id, [idName]: key.id }, { startAfter: queuePause })
    return row
  })
  queue.add(sessionId)
  await queue.sendFirst({ workspace_id, session_id: sessionId })
  return stored
}
