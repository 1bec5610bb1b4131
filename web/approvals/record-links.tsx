import { Link, useLocation } from 'wouter-preact'
import { me } from '../shell/session'
import type { Approval } from './approval'
import { say } from '../texts/say'

/** Where a decided question stays: its own page, unless that is open, and what is recorded of the write. */
export const RecordLinks = ({ of: { id, tool_call_id: call } }: { of: Approval }) => {
  const [here] = useLocation()
  const page = `/inbox/${id}`
  const isRecorded = call !== null && me.value?.role === 'admin'
  if (here === page && !isRecorded) return null
  return (
    <p class='small row tight'>
      {here !== page && <Link href={page}>{say('approval.page')}</Link>}
      {here !== page && isRecorded && <span class='muted' aria-hidden='true'>·</span>}
      {isRecorded && <Link href={`/settings/record?write=${call}`}>{say('approval.record')}</Link>}
    </p>
  )
}
