import type { CallEnding } from '../../../db/agent/commit-run.js'
import { startClock } from '../../../plugins/fact-clock.js'
import type { Turn } from '../../../plugins/llm-turn.js'
import type { ApprovalFact } from '../../../plugins/telemetry.js'
import type { Deps, OpenCall, RunState } from './run-state.js'

type Teller = Pick<Deps, 'telemetry'>

const idsOf = ({ key: { run_id, session_id } }: RunState) => ({ run_id, session_id })

export const tellStarted = (deps: Teller, state: RunState): void =>
  deps.telemetry.tell({ type: 'run_started', ...idsOf(state), taken_over: state.takenOver })

export const tellLeft = (deps: Teller, state: RunState): void => {
  const { status, error, model, startedAt: started_at, usage: { model_calls } } = state
  const ms = Date.now() - started_at
  deps.telemetry.tell({ type: 'run_left', ...idsOf(state), started_at, ms, status, error, model, model_calls })
}

export const tellApproval = (deps: Teller, outcome: ApprovalFact['outcome'], waited_ms: number | null): void =>
  deps.telemetry.tell({ type: 'approval', outcome, waited_ms })

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? 'aborted'

/** Times a model call: `onText` at each text, and `until` gives the call back when it was told. */
export const watchModelCall = (deps: Pick<Deps, 'telemetry' | 'llm'>, state: RunState) => {
  const clock = startClock()
  let first: number | undefined
  const tell = (turn: Turn | undefined, error: string | null): void => deps.telemetry.tell({
    type: 'model_call',
    ...idsOf(state),
    ...clock.times(),
    model: state.model,
    streamed: true,
    first_token_ms: first ?? null,
    usage: turn?.usage ?? null,
    cost_usd_micros: turn ? deps.llm.cost(turn.usage) ?? 0 : 0,
    stop_reason: turn?.stop_reason ?? null,
    error
  })
  return {
    onText: (): void => { first ??= clock.passed() },
    until: async (call: Promise<Turn>): Promise<Turn> => {
      try {
        const turn = await call
        tell(turn, null)
        return turn
      } catch (error) {
        tell(undefined, codeOf(error))
        throw error
      }
    }
  }
}

/** Times one execution of a tool and tells how it ended. */
export const watchToolCall = async <T extends { ending: CallEnding }>(
  deps: Teller, state: RunState, call: OpenCall, work: Promise<T>
): Promise<T> => {
  const clock = startClock()
  const ended = await work
  const { id: tool_call_id, name, effect } = call
  const { status } = ended.ending
  deps.telemetry.tell({ type: 'tool_call', ...idsOf(state), ...clock.times(), tool_call_id, name, effect, status })
  return ended
}
