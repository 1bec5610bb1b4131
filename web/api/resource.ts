import { useEffect } from 'preact/hooks'
import { useSignal, type Signal } from '@preact/signals'
import { backEvent } from './connection'
import { problemOf, type Problem } from './problem'
import { onSeenAgain } from './visible'

export interface Resource<T> {
  data: T | undefined
  problem: Problem | undefined
  loading: boolean
  reload: () => void
}

export interface ResourceOptions<T> {
  /** Milliseconds between two loads while the page is visible. */
  every?: number
  /** Says of what was read, or was known first, that it changes no more: then nothing is read again. */
  until?: (data: T) => boolean
  /** What is shown until the first load is done. */
  first?: T
}

const watchVisible = (every: number, poll: () => void) => {
  const timer = setInterval(() => { if (document.visibilityState === 'visible') poll() }, every)
  const unwatch = onSeenAgain(poll)
  return () => {
    clearInterval(timer)
    unwatch()
  }
}

interface State<T> { data: Signal<T | undefined>, problem: Signal<Problem | undefined>, loading: Signal<boolean> }

const loader = <T>(state: State<T>, load: (signal: AbortSignal) => Promise<T>, onRead: (data: T) => void) => {
  let current = new AbortController()
  const reload = async () => {
    current.abort()
    const { signal } = current = new AbortController()
    state.loading.value = true
    try {
      const data = await load(signal)
      if (signal.aborted) return
      state.data.value = data
      state.problem.value = undefined
      onRead(data)
    } catch (error) {
      if (!signal.aborted) state.problem.value = problemOf(error)
    }
    if (!signal.aborted) state.loading.value = false
  }
  return { reload, stop: () => current.abort() }
}

/** Loads on mount and whenever one of `keys` changes. A reload keeps the earlier data until it is done. */
export const useResource = <T>(keys: unknown[], load: (signal: AbortSignal) => Promise<T>,
  { every, until, first }: ResourceOptions<T> = {}): Resource<T> => {
  const state: State<T> = { data: useSignal<T | undefined>(first), problem: useSignal<Problem>(), loading: useSignal(true) }
  const again = useSignal(() => {})
  useEffect(() => {
    state.data.value = first
    state.problem.value = undefined
    let unwatch = () => {}
    const { reload, stop } = loader(state, load, (data) => { if (until?.(data)) unwatch() })
    again.value = () => { void reload() }
    if (first !== undefined && until?.(first)) {
      state.loading.value = false
    } else {
      if (every !== undefined) unwatch = watchVisible(every, () => { void reload() })
      void reload()
    }
    const onBack = () => { if (state.problem.peek()?.code === 'unreachable') void reload() }
    addEventListener(backEvent, onBack)
    return () => {
      stop()
      unwatch()
      removeEventListener(backEvent, onBack)
    }
  }, keys)
  return {
    data: state.data.value,
    problem: state.problem.value,
    loading: state.loading.value,
    reload: () => again.value()
  }
}
