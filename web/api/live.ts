import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { followStream } from './follow'
import { problemOf, type Problem } from './problem'

/** Events that a view keeps. */
const maxEvents = 2_000

export interface Live<E> {
  events: E[]
  state: 'connecting' | 'live' | 'again' | 'ended'
  problem: Problem | undefined
  /** Follows anew, after a problem that no further attempt would have changed. */
  retry: () => void
}

/** A stream without an end of its own stops after a time, or with Steward; it goes on when it is asked for again. */
const stops = new Set<unknown>(['time_limit', 'shutdown'])
const isLast = (event: { type: string, reason?: unknown }): boolean => event.type === 'end' && !stops.has(event.reason)

/** The events of a live stream, newest last; `path` undefined = do not follow. */
export const useLive = <E extends { type: string }>(path: string | undefined): Live<E> => {
  const events = useSignal<E[]>([])
  const state = useSignal<Live<E>['state']>('connecting')
  const problem = useSignal<Problem>()
  const attempt = useSignal(0)
  useEffect(() => {
    events.value = []
    state.value = 'connecting'
    problem.value = undefined
    if (path === undefined) return
    const controller = new AbortController()
    const { signal } = controller
    followStream<E>(path, {
      signal,
      onOpen: () => {
        state.value = 'live'
        problem.value = undefined
      },
      onEvent: (event) => {
        if (isLast(event)) return true
        if (event.type === 'end') return false
        events.value = [...events.peek(), event].slice(-maxEvents)
        return false
      },
      onBreak: (failures, cause) => {
        state.value = 'again'
        // The first attempt after a break usually succeeds.
        if (failures > 0) problem.value = cause
      }
    }).catch((error: unknown) => { problem.value = problemOf(error) })
      .finally(() => { if (!signal.aborted) state.value = 'ended' })
    return () => controller.abort()
  }, [path, attempt.value])
  const retry = () => { attempt.value++ }
  return { events: events.value, state: state.value, problem: problem.value, retry }
}
