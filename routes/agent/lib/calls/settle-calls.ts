import { listCalls, isBeforeFailover, reclaimCall } from '../../../../db/agent/calls.js'
import type { CallEnding } from '../../../../db/agent/commit-run.js'
import { listRunConfirmations, type RunConfirmation as Confirmation } from '../../../../db/agent/confirmations.js'
import { closeQuestion } from '../../../../db/agent/questions.js'
import { waitForDecision } from '../../../../db/agent/runs.js'
import { findKey, releaseKey, releaseUnsent } from '../../../../db/idempotency.js'
import { LostLease } from '../../../../lib/durable/kind.js'
import { keyScope } from '../../../../lib/http/requests.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import type { Answer } from '../../../../plugins/tools.js'
import type { NewChatEvent } from '../../../../schemas/agent/events.js'
import { unclear } from '../plans/propose-call.js'
import { closingMessage, commit } from '../run/commit.js'
import { sentEntry } from '../run/entries.js'
import { finishRun } from '../run/finish.js'
import { changesRequested, endCall, failure, withoutResult, type Ended } from '../run/results.js'
import type { Advance, Deps, OpenCall, RunState } from '../run/run-state.js'
import { argumentsOf, editNote, storedOutcome, executeRead, send } from './send-call.js'
import { announce, askAgain, askNext } from './ask-calls.js'
import { executeWrite, type Changed, afterFailover, recheck, settleSent } from './execute-write.js'

const operationKey = (state: RunState, tool: Tool, call: OpenCall) =>
  keyScope(state.principal, `${tool.operation} ${tool.bind(argumentsOf(call)).url}`, call.idempotency_key)

const storedAnswer = (stored: { status: number | null; body: string | null }): Answer | undefined => {
  if (stored.status === null) return undefined
  try {
    return { status: stored.status, body: JSON.parse(stored.body ?? 'null') }
  } catch {
    return { status: stored.status, body: stored.body }
  }
}

/**
 * Settles a write that an earlier holder of the run had claimed, by its idempotency row. Without a row it never
 * started, so it is sent now, with the same key. An answer in the row is its result. A row without an answer means that
 * it had started, and after a failover so may no row: the tool's own reconciliation decides, and without one it is
 * `unknown`. It is never sent blindly.
 */
const recoverWrite = async (deps: Deps, state: RunState, call: OpenCall): Promise<Ended | Changed> => {
  const tool = deps.tools.find(call.name, state.key.workspace_id)
  const { limits } = deps.config
  if (!tool) return endCall(call, withoutResult('unknown'), limits)
  const scope = operationKey(state, tool, call)
  const stored = await findKey(deps.db, scope)
  const answer = stored && storedAnswer(stored)
  if (answer) return endCall(call, storedOutcome(answer, stored?.sent_at !== null, editNote(call)), limits)
  // Without a mark nothing was sent, and the process that held the key can send nothing any more.
  const mayHaveRun = stored
    ? !(stored.sent_at === null && await releaseUnsent(deps.db, scope))
    : await isBeforeFailover(deps.db, state.key.workspace_id, call.id)
  if (mayHaveRun) {
    const verdict = await tool.options
      ?.reconcile?.(argumentsOf(call), deps.tools.reader(state.principal))
      .catch(unclear)
    if (verdict === 'done') {
      return endCall(call, { status: 'succeeded', http_status: null, result: { reconciled: true } }, limits)
    }
    if (verdict !== 'not_done') return endCall(call, withoutResult('unknown'), limits)
    await releaseKey(deps.db, scope)
  }
  return resend(deps, state, call, tool)
}

/** Sends a write that was never sent, if the state is still the one that was shown. */
const resend = async (deps: Deps, state: RunState, call: OpenCall, tool: Tool): Promise<Ended | Changed> => {
  const found = await recheck(deps, state, call, tool)
  if (found.kind === 'refused') return endCall(call, found.outcome, deps.config.limits)
  if (found.kind === 'changed') return found.changed
  call.target = found.plan.target?.id ?? null
  if (!(await reclaimCall(deps.db, state.key, call.id, sentEntry(state, call, found)))) {
    if (await isBeforeFailover(deps.db, state.key.workspace_id, call.id)) return afterFailover(tool, found)
    throw new LostLease()
  }
  return settleSent(deps, state, call, tool, await send(deps, state, call, tool, found.plan))
}

/** Which step of a plan ended it, and with what. */
export interface Stop { step: number, why: string }

/**
 * @returns the first of the steps before this one that has not succeeded; a step that left the plan, such as for being
 *   asked anew, is none that has
 */
const findStop = ({ calls }: RunState, { steps }: OpenCall): Stop | undefined => {
  if (!steps) return undefined
  const before = new Map(calls.flatMap((call) => call.steps?.id === steps.id ? [[call.steps.step, call.status]] : []))
  for (let step = 1; step < steps.step; step++) {
    const status = before.get(step)
    if (status !== 'succeeded') return { step, why: status ?? 'state_changed' }
  }
  return undefined
}

/** Ends an approved step that does not run, and closes its question: nothing of it was sent. */
const stopStep = async (deps: Deps, { key }: RunState, call: OpenCall, { step, why }: Stop): Promise<Ended> => {
  const of = call.steps?.of
  const detail = call.steps?.step === step
    ? `Step ${step} of ${of} did not run, for the state or its approvals are not those that were shown (${why})`
    : `Step ${step} of ${of} stopped the plan (${why}): this step did not run`
  if (call.question !== undefined) {
    await closeQuestion(deps.db, key.workspace_id, call.question, 'step_stopped', detail)
  }
  return endCall(call, failure('step_stopped', detail, { stopped_by: { step, why } }), deps.config.limits)
}

/** Commits ends of calls in the order they come, together where they come together. */
class EndingLog {
  #waiting: Ended[] = []
  #committing: Promise<void> = Promise.resolve()

  constructor (
    private readonly deps: Deps,
    private readonly state: RunState
  ) {}

  /** @param more whether other calls still run: the last end waits for `close` */
  add (ended: Ended, more: boolean): void {
    this.#waiting.push(ended)
    if (!more) return
    this.#committing = this.#committing.then(() => this.#commit(false))
    // `close` throws the error; until then it must not be an unhandled rejection, which would end the process.
    this.#committing.catch(() => undefined)
  }

  /** Commits the rest, with the results' message when nothing of the turn is open any more. */
  async close (): Promise<void> {
    await this.#committing
    await this.#commit(true)
  }

  async #commit (last: boolean): Promise<void> {
    const batch = this.#waiting
    this.#waiting = []
    const endings: CallEnding[] = batch.map(({ ending }) => ending)
    const message = last ? closingMessage(this.state, endings) : undefined
    if (batch.length === 0 && !message) return
    this.deps.failpoint('results.before_commit')
    await commit(
      this.deps,
      this.state,
      { status: 'running', endings, messages: message ? [message] : [] },
      batch.map(({ event }) => event)
    )
    this.deps.failpoint('results.after_commit')
    if (message) {
      this.state.messages.push({ role: 'user', content: message.content })
      this.state.calls = []
      this.state.resumed = false
    }
  }
}

const parallel = async <T>(items: T[], width: number, work: (item: T) => Promise<void>): Promise<void> => {
  const queue = [...items]
  const lanes = Array.from({ length: Math.min(width, queue.length) }, async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  })
  await Promise.all(lanes)
}

const runningEvent = (call: OpenCall): NewChatEvent => ({
  event: 'tool_call',
  data: {
    tool_call_id: call.id,
    name: call.name,
    arguments: call.effective_input ?? {},
    effect: call.effect,
    status: 'running'
  }
})

const settleWrite = async (deps: Deps, state: RunState, call: OpenCall): Promise<Ended | Changed> => {
  const { limits } = deps.config
  if (call.status === 'rejected' && call.decided_by === 'policy') {
    const outcome = failure('forbidden_by_policy', call.reason ?? 'The rules of the workspace forbid this')
    return endCall(call, { ...outcome, status: 'denied' }, limits)
  }
  if (call.status === 'rejected' && call.changes) return endCall(call, changesRequested(call.changes), limits)
  if (call.status === 'rejected' || call.status === 'expired' || call.status === 'superseded') {
    return endCall(call, withoutResult(call.status, call.reason), limits)
  }
  if (call.status === 'dispatching') return recoverWrite(deps, state, call)
  const stop = findStop(state, call)
  if (stop) return stopStep(deps, state, call, stop)
  return executeWrite(deps, state, call, () => commit(deps, state, { status: 'running' }, [runningEvent(call)]))
}

/** A write that is not the one that was shown is asked again; a step of a plan ends the plan instead. */
const settleChanged = async (deps: Deps, state: RunState, call: OpenCall, settled: Ended | Changed):
Promise<Ended | undefined> => {
  if (!('tool' in settled)) return settled
  if (call.steps && !settled.mayHaveRun) {
    return stopStep(deps, state, call, { step: call.steps.step, why: settled.why })
  }
  await askAgain(deps, state, call, settled)
  // The plan is not whole any more: the steps after it end.
  call.steps = null
  return undefined
}

/** Brings decisions of other processes into memory. @returns questions that the run's stream does not have yet */
const refresh = async (deps: Deps, state: RunState): Promise<Confirmation[]> => {
  const { workspace_id, run_id } = state.key
  const [rows, confirmations] = await Promise.all([
    listCalls(deps.db, workspace_id, run_id),
    listRunConfirmations(deps.db, workspace_id, run_id)
  ])
  state.calls = state.calls.map((call) => {
    const row = rows.find(({ id }) => id === call.id)
    // The newest: the state that an earlier one showed has changed.
    const question = confirmations.findLast((item) => item.tool_call_id === call.id)
    if (!row || !question) return row ?? call
    const { id, target, reason, changes, proposed, steps } = question
    return { ...row, question: id, target: target?.id ?? null, reason, changes, steps, edited: proposed !== null }
  })
  for (const { status, decided_by: by, input_digest: digest } of state.calls) {
    if (status === 'rejected' && by !== 'policy') state.rejected = new Set(state.rejected).add(digest)
  }
  return confirmations.filter(({ announced, status }) => !announced && status === 'pending')
}

const isOpen = (call: OpenCall) => call.result_model === null

/** @returns how the run ends whose questions all ended, and none was answered; undefined when it goes on */
const whyAbandoned = ({ calls, cancelled }: RunState): 'expired' | 'superseded' | undefined => {
  const open = calls.filter((call) => isOpen(call) && call.question !== undefined)
  const answered = calls.some((call) => call.decided_by?.startsWith('user:'))
  if (cancelled !== null || answered || open.length === 0) return undefined
  if (open.every((call) => call.status === 'expired')) return 'expired'
  return open.every(({ status }) => status === 'expired' || status === 'superseded') ? 'superseded' : undefined
}

/** Asks about calls that waited for the ones before them; those that cannot be asked end. */
const askWaiting = async (deps: Deps, state: RunState, log: EndingLog): Promise<void> => {
  while (state.cancelled === null) {
    const ended = await askNext(deps, state)
    if (!ended) return
    log.add(ended, false)
    await log.close()
  }
}

/**
 * Does what can be done of the turn's calls: reads together, decided writes one by one. A run whose questions all
 * expired ends.
 * @returns go on with the model; or stop, as it has ended or waits for a decision
 */
export const settleCalls = async (deps: Deps, state: RunState): Promise<Advance> => {
  const log = new EndingLog(deps, state)
  await deps.tools.prepare(state.key.workspace_id, state.calls.map(({ name }) => name))
  const reads = state.calls.filter((call) => isOpen(call) && call.effect === 'read')
  let left = reads.length
  await parallel(reads, deps.config.limits.parallel_reads, async (call) => {
    const ended = await executeRead(deps, state, call)
    log.add(ended, --left > 0)
  })
  const hasWrites = state.calls.some((call) => isOpen(call) && call.effect === 'write')
  if (hasWrites) {
    await log.close()
    await announce(deps, state, await refresh(deps, state))
    const abandoned = whyAbandoned(state)
    if (abandoned) {
      const status = abandoned === 'expired' ? 'expired' : 'cancelled'
      await finishRun(deps, state, { status, reason: abandoned, stopReason: abandoned })
      return 'stop'
    }
    for (const call of state.calls.filter((item) => isOpen(item) && item.status !== 'awaiting')) {
      if (state.cancelled !== null && (call.status === 'approved' || call.status === 'auto_approved')) break
      const settled = await settleWrite(deps, state, call)
      const left = await settleChanged(deps, state, call, settled)
      if (left) log.add(left, false)
      await log.close()
    }
    await askWaiting(deps, state, log)
  }
  await log.close()
  if (state.calls.length === 0 || state.cancelled !== null) return 'go'
  const waits = await waitForDecision(deps.db, state.key.workspace_id, state.key.run_id, state.key.epoch)
  if (waits === 'lost') throw new LostLease()
  if (waits === 'work') return 'go'
  state.status = 'awaiting_confirmation'
  return 'stop'
}
