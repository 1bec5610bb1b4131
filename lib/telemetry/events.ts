import type { Usage } from '../llm/turn.js'

/** A clock that gives a fact of telemetry its start and its length. */
export const startTimer = () => {
  const [started_at, from] = [Date.now(), performance.now()]
  return { passed: () => performance.now() - from, times: () => ({ started_at, ms: performance.now() - from }) }
}

interface OfRun {
  run_id: string
  session_id: string
  /** When it began, in milliseconds since 1970, and how long it took. */
  started_at: number
  ms: number
}

/** One model call, whole or broken: of a run, or of a generation of a spec or of content. */
export interface ModelCallEvent {
  type: 'model_call'
  run_id?: string
  session_id?: string
  generation_id?: string
  started_at: number
  ms: number
  model: string
  streamed: boolean
  /** null: it gave no text */
  first_token_ms: number | null
  /** null: it broke before anything was charged that is known */
  usage: Usage | null
  cost_usd_micros: number
  stop_reason: string | null
  error: string | null
}

export interface ToolCallEvent extends OfRun {
  type: 'tool_call'
  tool_call_id: string
  name: string
  effect: 'read' | 'write'
  status: string
}

/** A run that this process took up: begun here, woken by a decision, or taken over from a process that died. */
export interface RunStartedEvent {
  type: 'run_started'
  run_id: string
  session_id: string
  taken_over: boolean
}

/** It ended, or this process has no more to do for it. */
export interface RunReleasedEvent extends OfRun {
  type: 'run_left'
  status: string
  /** Why it failed, by its code. */
  error: string | null
  model: string
  model_calls: number
}

export interface ApprovalEvent {
  type: 'approval'
  outcome: 'approved' | 'rejected' | 'expired' | 'closed'
  /** How long it had waited; null where it was not measured. */
  waited_ms: number | null
}

export interface RequestEvent {
  type: 'request'
  method: string
  /** The route's pattern, never the path. */
  route: string
  operation: string | undefined
  status: number
  request_id: string
  run_id: string | undefined
  /** A tool of the run made it, not a client. */
  of_tool: boolean
  traceparent: string | undefined
  started_at: number
  ms: number
}

/** A model call before its owner is known. */
export type ModelCall = Omit<ModelCallEvent, 'type' | 'run_id' | 'session_id' | 'generation_id'>

export type TelemetryEvent =
  ModelCallEvent | ToolCallEvent | RunStartedEvent | RunReleasedEvent | ApprovalEvent | RequestEvent
type Listener = (event: TelemetryEvent) => void

/**
 * What happened, for metrics and traces: ids, names, times and counts, never content. Recorded once a step, not once a
 * token; without a listener it costs a check of an empty list.
 */
export class Telemetry {
  readonly #listeners: Listener[] = []

  listen (listener: Listener): void {
    this.#listeners.push(listener)
  }

  record (event: TelemetryEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}
