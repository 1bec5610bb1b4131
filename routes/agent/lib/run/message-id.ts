import { createHash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import type { NewChatEvent } from '../../../../schemas/agent/events.js'
import type { RunState } from './run-state.js'

const timeOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16)

/**
 * @returns the id of the message that the run's next model call makes. It follows from run and step, so a call
 * repeated after a crash makes the same message.
 */
export const messageIdOf = ({ key, step }: Pick<RunState, 'key' | 'step'>): string => {
  const random = createHash('sha256').update(`${key.run_id}:${step}`).digest().subarray(0, 16)
  return uuid({ msecs: timeOf(key.run_id), seq: step, random })
}

/** Makes clients discard what they hold of the message: the model call is repeated, or given up. */
export const resetOf = (messageId: string): NewChatEvent =>
  ({ event: 'content', data: { message_id: messageId, text: '', reset: true } })

/** @returns a reset of unfinished text that an earlier holder of the run may have sent */
export const resetEvents = (state: RunState): NewChatEvent[] => {
  const { repeats } = state
  state.repeats = false
  return repeats ? [resetOf(messageIdOf(state))] : []
}
