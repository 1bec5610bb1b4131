import type { FastifyInstance } from 'fastify'
import { listRunConfirmations } from '../../../../db/agent/confirmations.js'
import { listCalls } from '../../../../db/agent/calls.js'
import { findLiveRun, findRun, sumUsage } from '../../../../db/agent/runs.js'
import { findParkedPosition } from '../../../../db/agent/parked.js'
import { findSession } from '../../../../db/agent/sessions.js'
import { listEvents } from '../../../../db/stream-events.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { type Sink, positionOf } from '../../../../lib/streams/follow.js'
import { frameOf } from '../../../../lib/streams/events.js'
import { ApiError } from '../../../../schemas/errors.js'
import { SessionNotFound } from '../errors.js'
import { doneData } from '../run/finish.js'

/** Between two polls of a run that does not wait yet. */
const minWatchMs = 250

type Deps = Pick<FastifyInstance, 'db' | 'streams' | 'config'>
interface RunRef { session_id: string, run_id: string }

/** @returns the position in this run that the id names; 0 for an id of another run, or none */
export const positionInRun = (runId: string, lastEventId: string | undefined): number => {
  const [run, position = ''] = (lastEventId ?? '').split(':')
  return run === runId ? positionOf(position) : 0
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @returns whether the session has such a run, with events after the position that the client holds */
const hasRest = async (db: Db, principal: Principal, sessionId: string, runId: string, after: number) => {
  const { workspace_id, user_id } = principal
  const run = uuid.test(runId) ? await findRun(db, workspace_id, user_id, runId) : undefined
  if (run?.session_id !== sessionId) return false
  return (await listEvents(db, workspace_id, runId, after, 1)).length > 0
}

/**
 * @returns the run that a client of the session follows: the one whose id it holds, while that has events left; else
 * the live one; undefined when there is none. Of one that was parked, who holds none of its ids gets what came since:
 * the conversation has what was before. @throws session_not_found
 */
export const findStream = async (db: Db, principal: Principal, sessionId: string, lastEventId: string | undefined):
Promise<{ run_id: string, after: number } | undefined> => {
  const { workspace_id, user_id } = principal
  if (!await findSession(db, workspace_id, user_id, sessionId)) throw SessionNotFound()
  const [held = ''] = (lastEventId ?? '').split(':')
  const live = await findLiveRun(db, workspace_id, sessionId)
  const after = positionInRun(held, lastEventId)
  if (live?.id === held || await hasRest(db, principal, sessionId, held, after)) return { run_id: held, after }
  if (!live) return undefined
  return { run_id: live.id, after: live.reason === null ? 0 : await findParkedPosition(db, workspace_id, live.id) }
}

/** @returns the `done` that ends a stream while its run still waits; it is not stored and has no id */
const waitingDone = async (db: Db, principal: Principal, run: RunRef) => {
  const { workspace_id, user_id } = principal
  const [row, session, usage, calls, confirmations] = await Promise.all([
    findRun(db, workspace_id, user_id, run.run_id), findSession(db, workspace_id, user_id, run.session_id),
    sumUsage(db, workspace_id, run.run_id), listCalls(db, workspace_id, run.run_id),
    listRunConfirmations(db, workspace_id, run.run_id)
  ])
  if (row?.status !== 'awaiting_confirmation' && row?.status !== 'parked') return undefined
  const pending = confirmations.filter((item) => item.status === 'pending').map((item) => item.id)
  return doneData({ ...run, title: session?.title ?? null, toolCalls: calls.length, usage },
    { status: row.status, final: false, stop_reason: null, message_id: null, pending })
}

/** A client that comes back earlier finds the same outage. */
const retryMs = 5_000

/** Sends a run's events to one client until its end; or until it has waited for approvals as long as `waitS` says. */
export const followRun = async (deps: Deps, principal: Principal, run: RunRef,
  options: { after: number, waitS?: number }, sink: Sink): Promise<void> => {
  const waitMs = (options.waitS ?? deps.config.limits.wait_s) * 1_000
  let timer: NodeJS.Timeout | undefined
  const waited = async () => {
    const done = await waitingDone(deps.db, principal, run).catch(() => undefined)
    if (!done) return watch(Math.max(waitMs, minWatchMs))
    if (sink.signal.aborted) return
    sink.write(frameOf('done', done))
    sink.end()
  }
  const watch = (ms = waitMs) => {
    clearTimeout(timer)
    if (!sink.signal.aborted) timer = setTimeout(() => { void waited() }, ms)
  }
  // A client that resumes after the question does not get it again, and waits no longer than others.
  if (options.after > 0) watch()
  try {
    await deps.streams.read({
      workspaceId: principal.workspace_id,
      streamId: run.run_id,
      after: options.after,
      signal: sink.signal,
      onEvent: (event) => {
        // A call is announced before it is begun.
        sink.write(event.frame, event.event === 'tool_call')
        if (event.event === 'confirmation_required') watch()
        // The conversation goes on in another run; of one that was resumed since, this is past.
        else if (event.event === 'tool_call' && event.data.still_waits === true) watch(0)
        else if (timer !== undefined && event.event !== 'content') timer.refresh()
      }
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message } = error
    sink.write(frameOf('error', { code, message, fatal: false, retryable: true, retry_after_ms: retryMs }))
    sink.end()
  } finally {
    clearTimeout(timer)
  }
}
