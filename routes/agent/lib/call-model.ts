import { setTimeout as sleep } from 'node:timers/promises'
import { ModelError } from '../../../plugins/llm-errors.js'
import type { Turn } from '../../../plugins/llm-turn.js'
import { commit } from './commit.js'
import { errorEvent } from './finish.js'
import { resetOf, takeBack } from './message-id.js'
import { watchModelCall } from './tell.js'
import { partialOf, type Deps, type RunState } from './run-state.js'

const maxTokens = 8_192
const maxRetries = 3
const maxUnstored = 65_536

/** A frame may have 64 KiB, and a unit of a text up to six bytes in JSON. */
const maxPiece = 4_096

/** @returns the text in pieces that make frames of a fair size; none ends within a character */
const piecesOf = (text: string): string[] => {
  if (text.length <= maxPiece) return [text]
  const isSplit = (text.charCodeAt(maxPiece - 1) & 0xfc00) === 0xd800
  const end = isSplit ? maxPiece - 1 : maxPiece
  return [text.slice(0, end), ...piecesOf(text.slice(end))]
}

const attempt = async (deps: Deps, state: RunState, messageId: string, cap: number): Promise<Turn> => {
  const watch = watchModelCall(deps, state)
  const turn = deps.llm.stream(
    {
      model: state.model,
      system: state.system,
      messages: state.messages,
      tools: deps.tools.list(state.principal),
      max_tokens: cap
    },
    {
      signal: state.abort.signal,
      idleMs: deps.config.limits.model_idle_ms,
      onText: (text) => {
        watch.onText()
        state.partial.text.add(text)
        for (const piece of piecesOf(text)) state.channel.content(messageId, piece)
        deps.crossing('model.text')
        // A database that does not take the text in holds the model back: a takeover skips a bounded stretch.
        if (state.channel.pendingUnits > maxUnstored) return untilStored(state)
      }
    }
  )
  return watch.until(turn)
}

const untilStored = async (state: RunState): Promise<void> => {
  while (state.channel.pendingUnits > maxUnstored) await sleep(50, undefined, { signal: state.abort.signal })
}

const waitMs = (deps: Deps, error: ModelError, tries: number): number => {
  const backoff = deps.config.limits.model_retry_base_ms * 4 ** (tries - 1)
  return Math.min(60_000, Math.max(error.retryAfterMs ?? 0, backoff * (0.75 + Math.random() / 2)))
}

const holdsTool = (turn: Turn) => turn.parts.some((part) => part.type === 'tool_use')

/**
 * Calls the model until it gives a whole turn. A call that breaks in the middle is repeated, after `reset` for what
 * was told of it. @throws ModelError when no repetition helps, or the reason of the run's abort
 */
export const callModel = async (deps: Deps, state: RunState, messageId: string): Promise<Turn> => {
  let cap = maxTokens
  const told = takeBack(state)
  if (told.length > 0) await commit(deps, state, { status: 'running' }, told)
  for (let tries = 1; ; tries++) {
    state.partial = partialOf(messageId)
    try {
      const turn = await attempt(deps, state, messageId, cap)
      // A turn cut by the limit may have cut its last call: once more with more room, before anything is believed.
      if (turn.stop_reason !== 'max_tokens' || !holdsTool(turn) || cap > maxTokens) return turn
      cap = maxTokens * 2
      await commit(deps, state, { status: 'running' }, [resetOf(messageId)])
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      if (!error.retryable || tries > maxRetries) throw error
      const pause = waitMs(deps, error, tries)
      await commit(deps, state, { status: 'running' }, [
        errorEvent({
          code: error.code,
          message: `${error.message} Trying again.`,
          fatal: false,
          retryable: true,
          retryAfterMs: Math.round(pause)
        }),
        ...(state.partial.text.isEmpty ? [] : [resetOf(messageId)])
      ])
      state.partial = partialOf(messageId)
      await sleep(pause, undefined, { signal: state.abort.signal })
    }
  }
}
