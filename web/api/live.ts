import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { baseUrl } from './client'
import { openStream, pause, readFrames } from './events'
import { problemOf, type Problem } from './problem'

const keep = 2_000
const retryMs = 2_000

export interface Live<E> {
  events: E[]
  state: 'connecting' | 'live' | 'ended'
  problem: Problem | undefined
}

interface Sink<E> { add: (event: E) => void, open: () => void, signal: AbortSignal }

/** Follows a stream to its end; a broken one is joined again after the last id held. @throws Problem */
const follow = async <E extends { type: string }>(path: string, { add, open, signal }: Sink<E>): Promise<void> => {
  let last: string | undefined
  while (!signal.aborted) {
    const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': last }
    const response = await openStream(`${baseUrl}${path}`, { signal, headers })
    if (response.status === 204) return
    open()
    for await (const { id, data } of readFrames<E>(response)) {
      last = id || last
      if (data.type === 'end') return
      add(data)
    }
    await pause(retryMs, signal)
  }
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
    const leave = new AbortController()
    const add = (event: E) => { events.value = [...events.peek(), event].slice(-keep) }
    const open = () => { state.value = 'live' }
    follow<E>(path, { add, open, signal: leave.signal }).catch((error: unknown) => {
      if (!leave.signal.aborted) problem.value = problemOf(error)
    }).finally(() => { if (!leave.signal.aborted) state.value = 'ended' })
    return () => leave.abort()
  }, [path])
  return { events: events.value, state: state.value, problem: problem.value }
}
