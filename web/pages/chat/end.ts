import { useEffect, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import type { Conversation } from './conversation'

/** Pixels from the end at which a reader is still at the end. */
const near = 80
/** Milliseconds in which what has come still grows: its script, its answer. */
const growing = 1_500

/** Keeps what is read in its place while entries are put before it. */
const keepPlace = async (body: HTMLElement | null, add: () => Promise<void>) => {
  const below = (body?.scrollHeight ?? 0) - (body?.scrollTop ?? 0)
  await add()
  requestAnimationFrame(() => requestAnimationFrame(() => {
    if (body) body.scrollTop = body.scrollHeight - below
  }))
}

/** Scrolls with new entries while the reader is at the end, and not after the reader has scrolled up. */
export const useEnd = (conversation: Conversation) => {
  const element = useRef<HTMLDivElement>(null)
  const atEnd = useSignal(true)
  /** Entries that came since the reader left the end. */
  const unread = useSignal(0)
  const changedAt = useRef(0)
  const last = useRef<string>()
  const go = () => element.current?.scrollTo({ top: element.current.scrollHeight })
  const onScroll = () => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = element.current ?? {}
    atEnd.value = scrollHeight - scrollTop - clientHeight < near
    if (atEnd.value) unread.value = 0
  }
  useEffect(() => {
    last.current = conversation.entries.peek().at(-1)?.id
    return conversation.entries.subscribe((entries) => {
      changedAt.current = Date.now()
      const newest = entries.at(-1)?.id
      if (!atEnd.peek()) unread.value += newest === last.current ? 0 : 1
      // Drawn in the next frame, it has its height in the one after. The welcome, without any entry, begins at its top.
      else if (newest) requestAnimationFrame(() => requestAnimationFrame(go))
      last.current = newest
    })
  }, [conversation])
  useEffect(() => {
    const { current } = element
    if (!current?.firstElementChild) return
    const watcher = new ResizeObserver(() => {
      if (last.current && atEnd.peek() && Date.now() - changedAt.current < growing) go()
    })
    watcher.observe(current.firstElementChild)
    return () => watcher.disconnect()
  }, [conversation])
  const keep = (add: () => Promise<void>) => keepPlace(element.current, add)
  return { element, onScroll, atEnd, unread, go, keep }
}

export type End = ReturnType<typeof useEnd>
