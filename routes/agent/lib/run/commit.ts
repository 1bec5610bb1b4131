import { v7 as uuid } from 'uuid'
import { commitRun, lockRun, type CallEnding, type RunCommit } from '../../../../db/agent/commit-run.js'
import type { RunBatches } from '../../../../db/agent/run-batches.js'
import type { Db } from '../../../../db/index.js'
import { LostLease } from '../../../../lib/durable/kind.js'
import type { NewChatEvent } from '../../../../schemas/agent/events.js'
import { entriesOf } from './entries.js'
import { lateResults, resultBlocks } from './history.js'
import type { Deps, OpenCall, RunState } from './run-state.js'

type Change = Omit<RunCommit, 'position' | 'events'>

/** Where a step is stored: together with those of other runs, or in one transaction with what is written first. */
type Store = ({ runBatches: RunBatches } | { db: Db, first: (trx: Db) => Promise<void> }) &
  Partial<Pick<Deps, 'unnumbered'>>

type Step = Parameters<typeof commitRun>[2]

const storeAfter = (db: Db, first: (trx: Db) => Promise<void>, state: RunState, step: Step): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    // As a decision does: the run before its calls and questions, so that neither waits for the other.
    await lockRun(trx, state.key)
    await first(trx)
    if (!await commitRun(trx, state.key, step)) throw new LostLease()
    return true
  })

/** Stores one step, then publishes its events. @throws LostLease when the lease is gone; nothing was written then */
export const commit = async (
  store: Store,
  state: RunState,
  change: Change,
  events: NewChatEvent[]
): Promise<void> => {
  const held = await state.channel.write(events, async (rows, position) => {
    const recorded = entriesOf(state, change)
    const step = { ...change, position, events: rows, recorded }
    // Published once it is committed: whoever reads must not see what a lost transaction takes back.
    const stored = await ('first' in store
      ? storeAfter(store.db, store.first, state, step)
      : store.runBatches.commit(state.key, step))
    if (stored) settle(state, change)
    if (stored && recorded.length > 0) store.unnumbered?.soon(state.key.workspace_id)
    return stored
  })
  if (!held) throw new LostLease()
}

const settle = (state: RunState, change: Change) => {
  const last = change.messages?.at(-1)
  if (last) state.nextSeq = last.seq + 1
  state.status = change.status
  state.step += change.steps ?? 0
  for (const ending of change.endings ?? []) {
    const call = state.calls.find(({ id }) => id === ending.id)
    if (call) {
      Object.assign(call, { status: ending.status, result_model: ending.result_model, is_error: ending.is_error })
    }
  }
}

/**
 * @param open what the model reads of calls that have no result: by default the message is not made before all have
 *   ended, since the API takes a turn's results only together
 * @returns the user message with all results; of a run that was parked, which gave the model results before, what has
 *   become of them
 */
export const closingMessage = (state: RunState, endings: readonly CallEnding[], open?: 'waits') => {
  const ended = new Map(endings.map((ending) => [ending.id, ending]))
  const calls = state.calls.map((call) => ({ ...call, ...ended.get(call.id) }))
  const isEnded = ({ result_model: result }: OpenCall) => result !== null
  if (calls.length === 0 || (open === undefined && !calls.every(isEnded))) return undefined
  const late = calls.filter(isEnded)
  if (state.resumed && late.length === 0) return undefined
  return {
    id: uuid(),
    seq: state.nextSeq,
    role: 'user' as const,
    content: state.resumed ? [lateResults(late)] : resultBlocks(calls),
    search_text: '',
    stop_reason: null
  }
}
