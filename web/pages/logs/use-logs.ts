import { useEffect } from 'preact/hooks'
import { useSignal, type Signal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { problemOf, type Problem } from '../../api/problem'
import { onSeenAgain } from '../../api/visible'
import { keyOf, type Source } from './source'

type Page = Schemas['LogPage']
type Line = Schemas['LogEvent']

/** What was read of one source. */
export interface Read {
  source: Source
  lines: Line[]
  /** Where older lines of the time begin; null = there are none. */
  older: string | null
  problem: Problem | undefined
  /** Log groups that did not answer, or cannot be read. */
  silent: Schemas['LogSource'][]
  notes: string[]
  isRead: boolean
}

export interface Wanted { since: string, until: string, filter: string, isLive: boolean }

/** Lines that each source keeps while it is live. */
const mostLines = 2_000
const pageSize = 200
/** Milliseconds between two looks at a source; with many sources more, so that they stay below the limit of requests. */
const pauseOf = (sources: number): number => Math.max(5_000, sources * 2_000)

const readPage = async ({ kind, id }: Source, query: object, signal: AbortSignal): Promise<Page> => {
  const page = kind === 'service'
    ? await body(api.GET('/infrastructure/containers/services/{service}/logs',
      { params: { path: { service: id }, query }, signal }))
    : await body(api.GET('/infrastructure/serverless/functions/{name}/logs',
      { params: { path: { name: id }, query }, signal }))
  // One operation answers both a page and a stream: this one was asked for a page.
  if (!('items' in page)) throw new TypeError(page.type)
  return page
}

/** Waits a while, and then until the page is seen. */
const pause = (ms: number, signal: AbortSignal): Promise<void> => new Promise((resolve) => {
  const end = () => {
    clearTimeout(timer)
    unwatch()
    signal.removeEventListener('abort', end)
    resolve()
  }
  const timer = setTimeout(() => { if (document.visibilityState === 'visible') end() }, ms)
  const unwatch = onSeenAgain(end)
  signal.addEventListener('abort', end)
})

const unique = (lines: readonly Line[]): Line[] => [...new Map(lines.map((line) => [line.id, line])).values()]

const isSilent = ({ status }: Schemas['LogSource']): boolean => status !== 'ok' && status !== 'missing'

const blank = (source: Source): Read =>
  ({ source, lines: [], older: null, problem: undefined, silent: [], notes: [], isRead: false })

type State = Signal<Record<string, Read>>

const change = (state: State, source: Source, next: (read: Read) => Partial<Read>): void => {
  const read = state.peek()[keyOf(source)]
  if (read) state.value = { ...state.peek(), [keyOf(source)]: { ...read, ...next(read) } }
}

const told = ({ sources, notes }: Page) => ({ problem: undefined, silent: sources.filter(isSilent), notes, isRead: true })

/** Whether another attempt may succeed. */
const mayPass = ({ status }: Problem): boolean => status === 0 || status === 429 || status >= 500

/** Reads the time that is wanted, and goes on behind it while that is live. */
const follow = async (state: State, source: Source, wanted: Wanted, pauseMs: number, signal: AbortSignal) => {
  const { since, until, filter } = wanted
  const fixed = { limit: pageSize, ...(filter !== '' && { filter }) }
  let cursor: string | undefined
  for (let isFirst = true; isFirst || wanted.isLive; isFirst = false) {
    if (!isFirst) await pause(pauseMs, signal)
    if (signal.aborted) return
    try {
      const query = cursor === undefined ? { ...fixed, since, ...(until !== '' && { until }) } : { ...fixed, cursor }
      const page = await readPage(source, query, signal)
      const isNewer = cursor !== undefined
      cursor = page.poll_cursor
      change(state, source, ({ lines, older }) => ({
        ...told(page),
        lines: unique([...lines, ...page.items]).slice(-mostLines),
        older: isNewer ? older : page.next_cursor
      }))
    } catch (error) {
      if (signal.aborted) return
      const problem = problemOf(error)
      // Containers that were deployed meanwhile log elsewhere: their time is read from its beginning.
      if (problem.code === 'invalid_cursor' && cursor !== undefined) cursor = undefined
      else change(state, source, () => ({ problem }))
      if (problem.code !== 'invalid_cursor' && !mayPass(problem)) return
    }
  }
}

/** @returns what the logs of the sources have, source by source, and what reads older lines, or all anew */
export const useLogs = (sources: readonly Source[], wanted: Wanted) => {
  const state: State = useSignal({})
  const attempt = useSignal(0)
  const keys = sources.map(keyOf).join()
  useEffect(() => {
    state.value = Object.fromEntries(sources.map((source) => [keyOf(source), blank(source)]))
    const stop = new AbortController()
    for (const source of sources) void follow(state, source, wanted, pauseOf(sources.length), stop.signal)
    return () => stop.abort()
  }, [keys, wanted.since, wanted.until, wanted.filter, wanted.isLive, attempt.value])
  const reads = Object.values(state.value)
  const readOlder = async () => {
    const { signal } = new AbortController()
    await Promise.all(reads.map(async ({ source, older: cursor }) => {
      if (cursor === null) return
      const query = { limit: pageSize, cursor, ...(wanted.filter !== '' && { filter: wanted.filter }) }
      const page = await readPage(source, query, signal)
      change(state, source, ({ lines }) => ({
        ...told(page), lines: unique([...page.items, ...lines]), older: page.next_cursor
      }))
    }))
  }
  return { reads, readOlder, retry: () => { attempt.value++ } }
}
