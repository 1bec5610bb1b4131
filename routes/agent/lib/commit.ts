import { v7 as uuid } from 'uuid'
import { commitRun, type CallEnding, type RunCommit } from '../../../db/agent/commit-run.js'
import { LostLease } from '../../../lib/durable/errors.js'
import type { NewChatEvent } from '../../../schemas/agent/events.js'
import { resultBlocks } from './history.js'
import type { Deps, RunState } from './run-state.js'

type Change = Omit<RunCommit, 'position' | 'events'>

/** Stores one step, then publishes its events. @throws LostLease when the lease is gone; nothing was written then */
export const commit = async (
  deps: Pick<Deps, 'db'>,
  state: RunState,
  change: Change,
  events: NewChatEvent[]
): Promise<void> => {
  const held = await state.channel.write(events, async (rows, position) => {
    const stored = await commitRun(deps.db, state.key, { ...change, position, events: rows })
    if (stored) settle(state, change)
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
 * @returns the user message with all results, when with these endings no call of the turn is open any more; the API
 * takes a turn's results only together
 */
export const closingMessage = (state: RunState, endings: readonly CallEnding[]) => {
  const ended = new Map(endings.map((ending) => [ending.id, ending]))
  const calls = state.calls.map((call) => ({ ...call, ...ended.get(call.id) }))
  if (calls.length === 0 || calls.some((call) => call.result_model === null)) return undefined
  return {
    id: uuid(),
    seq: state.nextSeq,
    role: 'user' as const,
    content: resultBlocks(calls),
    search_text: '',
    stop_reason: null
  }
}
