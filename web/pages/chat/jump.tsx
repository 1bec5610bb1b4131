import { ArrowDown } from '../../parts/result-icons'
import type { End } from './end'

/** Leads back to the end, when the reader has left it. */
export const JumpToLatest = ({ end: { atEnd, unread, go } }: { end: End }) => {
  if (atEnd.value) return null
  return (
    <div class='jump'>
      <button type='button' class='small' onClick={go}>
        <ArrowDown size={15} aria-hidden='true' />{unread.value > 0 ? `${unread.value} new below` : 'To the latest'}
      </button>
    </div>
  )
}
