import { useSignal } from '@preact/signals'
import { problemOf, type Problem } from './problem'

export interface Action<A extends unknown[]> {
  /** @returns whether it worked */
  run: (...args: A) => Promise<boolean>
  busy: boolean
  problem: Problem | undefined
  clear: () => void
}

/** An action that a person starts: one run at a time, whose problem is kept for display. */
export const useAction = <A extends unknown[]>(act: (...args: A) => Promise<unknown>): Action<A> => {
  const busy = useSignal(false)
  const problem = useSignal<Problem>()
  const run = async (...args: A) => {
    if (busy.peek()) return false
    busy.value = true
    problem.value = undefined
    try {
      await act(...args)
      return true
    } catch (error) {
      problem.value = problemOf(error)
      return false
    } finally {
      busy.value = false
    }
  }
  return { run, busy: busy.value, problem: problem.value, clear: () => { problem.value = undefined } }
}
