import type { ComponentChildren } from 'preact'
import { memo } from 'preact/compat'
import { useEffect, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import type { Entry } from './transcript'

/** Entries that come and go together. */
const size = 30
/** Pixels around what is seen in which everything is drawn. */
const margin = '1500px 0px'

/**
 * @param starts the ids with which chunks began before: what is put before or behind them changes none of them
 * @returns the entries in chunks
 */
export const chunksOf = (entries: readonly Entry[], starts: Set<string>): Entry[][] => {
  const chunks: Entry[][] = []
  for (const entry of entries) {
    const last = chunks.at(-1)
    if (last === undefined || last.length >= size || starts.has(entry.id)) {
      starts.add(entry.id)
      chunks.push([entry])
    } else last.push(entry)
  }
  return chunks
}

const waits = (entry: Entry): boolean =>
  (entry.kind === 'call' || entry.kind === 'budget') && entry.approval?.status === 'pending'

interface Props {
  entries: readonly Entry[]
  /** Of entries beside these; another value draws them anew. */
  stamp: unknown
  /** Always drawn: the newest, and what waits. */
  kept: boolean
  children: (entry: Entry) => ComponentChildren
}

/** @returns whether the chunk is near to what is seen */
const useNear = (element: { current: HTMLElement | null }) => {
  const near = useSignal(true)
  const height = useRef(0)
  useEffect(() => {
    const { current } = element
    if (!current) return
    const watcher = new IntersectionObserver(([seen]) => {
      // What has the focus, or a selection, is not taken away.
      const isUsed = current.contains(document.activeElement)
      if (seen && !seen.isIntersecting && !isUsed) height.current = current.offsetHeight
      near.value = (seen?.isIntersecting ?? true) || isUsed
    }, { root: current.closest('.thread-body'), rootMargin: margin })
    watcher.observe(current)
    return () => watcher.disconnect()
  }, [])
  return { near, height }
}

/** Some entries of a long conversation. Far from what is seen only their height stays, so that the page stays small. */
export const Chunk = memo(({ entries, kept, children }: Props) => {
  const element = useRef<HTMLOListElement>(null)
  const { near, height } = useNear(element)
  const isDrawn = near.value || kept || entries.some(waits)
  return (
    <ol ref={element} class='plain entries' style={isDrawn ? {} : { height: `${height.current}px` }}>
      {isDrawn && entries.map(children)}
    </ol>
  )
}, (before, after) => before.kept === after.kept && before.stamp === after.stamp &&
  before.entries.length === after.entries.length &&
  before.entries.every((entry, index) => entry === after.entries[index]))
