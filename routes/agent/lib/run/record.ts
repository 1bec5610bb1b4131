import type { CallEnding } from '../../../../db/agent/commit-run.js'
import type { ModelCallRow } from '../../../../db/model-spend.js'
import { startTimer, type ApprovalEvent } from '../../../../lib/telemetry/events.js'
import type { Turn } from '../../../../lib/llm/turn.js'
import type { Deps, OpenCall, RunState } from './run-state.js'
import { codeOf } from '../../../../schemas/unknown.js'

type Recorder = Pick<Deps, 'telemetry'>

const idsOf = ({ key: { run_id, session_id } }: RunState) => ({ run_id, session_id })

export const recordStarted = (deps: Recorder, state: RunState): void =>
  deps.telemetry.record({ type: 'run_started', ...idsOf(state), taken_over: state.takenOver })

export const recordReleased = (deps: Recorder, state: RunState): void => {
  const { status, error, model, startedAt: started_at, usage: { model_calls } } = state
  const ms = Date.now() - started_at
  deps.telemetry.record({ type: 'run_left', ...idsOf(state), started_at, ms, status, error, model, model_calls })
}

export const recordApproval = (deps: Recorder, outcome: ApprovalEvent['outcome'], waited_ms: number | null): void =>
  deps.telemetry.record({ type: 'approval', outcome, waited_ms })

/** Times a call of a model: `onText` at each text, `report` when it is over. */
export const watchModelCall = (deps: Recorder, state: RunState, model = state.model) => {
  const clock = startTimer()
  let first: number | undefined
  return {
    onText: (): void => { first ??= clock.passed() },
    /** @param row what it was charged, where that is known; `error` is null for a whole turn */
    report: (row: ModelCallRow | undefined, turn: Turn | undefined, error: unknown): void => deps.telemetry.record({
      type: 'model_call',
      ...idsOf(state),
      ...clock.times(),
      model: row?.model ?? model,
      streamed: true,
      first_token_ms: first ?? null,
      usage: row ?? null,
      cost_usd_micros: row?.cost_usd_micros ?? 0,
      stop_reason: turn?.stop_reason ?? null,
      error: error === null ? null : codeOf(error) ?? 'aborted'
    })
  }
}

/** Times one execution of a tool and records how it ended. */
export const watchToolCall = async <T extends { ending: CallEnding }>(
  deps: Recorder, state: RunState, call: OpenCall, work: Promise<T>
): Promise<T> => {
  const clock = startTimer()
  const ended = await work
  const { id: tool_call_id, name, effect } = call
  const { status } = ended.ending
  deps.telemetry.record({ type: 'tool_call', ...idsOf(state), ...clock.times(), tool_call_id, name, effect, status })
  return ended
}
