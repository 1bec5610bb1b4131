import { ArrowDown } from '../../parts/result-icons'
import type { End } from './end'
import { say } from '../../texts/say'

/** Leads back to the end, when the reader has left it. */
export const JumpToLatest = ({ end: { atEnd, unread, go } }: { end: End }) => {
  if (atEnd.value) return null
  return (
    <div class='jump'>
      <button type='button' class='small' onClick={go}>
        <ArrowDown size={15} aria-hidden='true' />
    {unread.value > 0 ? say('chat.jump.new', { count: unread.value }) : say('chat.jump')}
      </button>
    </div>
  )
}
