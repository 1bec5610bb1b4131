import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { followStream } from './follow'
import { problemOf, type Problem } from './problem'

/** Events that a view keeps. */
const maxEvents = 2_000

export interface Live<E> {
  events: E[]
  state: 'connecting' | 'live' | 'ended'
  problem: Problem | undefined
}

/** The events of a live stream, newest last; `path` undefined = do not follow. */
export const useLive = <E extends { type: string }>(path: string | undefined): Live<E> => {
  const events = useSignal<E[]>([])
  const state = useSignal<Live<E>['state']>('connecting')
  const problem = useSignal<Problem>()
  useEffect(() => {
    events.value = []
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
        if (event.type === 'end') return true
        events.value = [...events.peek(), event].slice(-maxEvents)
        return false
      },
      // The first attempt after a break usually succeeds.
      onBreak: (failures, cause) => { if (failures > 0) problem.value = cause }
    }).catch((error: unknown) => { problem.value = problemOf(error) })
      .finally(() => { if (!signal.aborted) state.value = 'ended' })
    return () => controller.abort()
  }, [path])
  return { events: events.value, state: state.value, problem: problem.value }
}
