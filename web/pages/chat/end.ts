import { useEffect, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import type { Conversation } from './conversation'

/** Pixels from the end at which a reader is still at the end. */
const near = 80
/** Milliseconds in which what has come still grows: its script, its answer. */
const growing = 1_500

/** Scrolls with new entries while the reader is at the end, and not after the reader has scrolled up. */
export const useEnd = (conversation: Conversation) => {
  const element = useRef<HTMLDivElement>(null)
  const atEnd = useSignal(true)
  /** Entries that came since the reader left the end. */
  const unread = useSignal(0)
  const changedAt = useRef(0)
  const go = () => { element.current?.scrollTo({ top: element.current.scrollHeight }) }
  const onScroll = () => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = element.current ?? {}
    atEnd.value = scrollHeight - scrollTop - clientHeight < near
    if (atEnd.value) unread.value = 0
  }
  useEffect(() => {
    let last = conversation.entries.peek().at(-1)?.id
    return conversation.entries.subscribe((entries) => {
      changedAt.current = Date.now()
      const isNew = entries.at(-1)?.id !== last
      last = entries.at(-1)?.id
      // It is drawn in the next frame, and has its height in the one after.
      if (atEnd.peek()) requestAnimationFrame(() => requestAnimationFrame(go))
      else if (isNew) unread.value++
    })
  }, [conversation])
  useEffect(() => {
    const { current } = element
    if (!current?.firstElementChild) return
    const watcher = new ResizeObserver(() => {
      if (atEnd.peek() && Date.now() - changedAt.current < growing) go()
    })
    watcher.observe(current.firstElementChild)
    return () => watcher.disconnect()
  }, [conversation])
  /** Keeps what is read in its place while entries are put before it. */
  const keep = async (add: () => Promise<void>) => {
    const { current } = element
    const below = (current?.scrollHeight ?? 0) - (current?.scrollTop ?? 0)
    await add()
    requestAnimationFrame(() => requestAnimationFrame(() => {
      if (current) current.scrollTop = current.scrollHeight - below
    }))
  }
  return { element, onScroll, atEnd, unread, go, keep }
}

export type End = ReturnType<typeof useEnd>
