import { useEffect, useRef } from 'preact/hooks'
import { MoreButton } from '../../parts/list'
import type { Conversation } from './conversation'
import type { End } from './end'

/** Pixels before the first message at which those before it are read. */
const margin = '1200px 0px'

interface Props { conversation: Conversation, end: End }

/** Reads the messages before those shown as soon as a reader comes near to the first; the button is for what fails. */
export const Older = ({ conversation, end }: Props) => {
  const element = useRef<HTMLDivElement>(null)
  const { older: { value: cursor } } = conversation
  const { atEnd: { value: isAtEnd } } = end
  const more = () => end.keep(() => conversation.loadOlder())
  useEffect(() => {
    const { current } = element
    // A conversation opens at its end, after a moment at its start.
    if (!current || isAtEnd) return
    const watcher = new IntersectionObserver(([seen]) => {
      if (seen?.isIntersecting) current.querySelector('button')?.click()
    }, { root: current.closest('.thread-body'), rootMargin: margin })
    watcher.observe(current)
    return () => watcher.disconnect()
  }, [cursor, isAtEnd])
  return cursor === null ? null : <div ref={element}><MoreButton more={more} /></div>
}
