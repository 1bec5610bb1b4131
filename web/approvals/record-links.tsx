import { Link } from 'wouter-preact'
import { me } from '../shell/session'
import type { Approval } from './approval'

/** Where a decided question stays: its own page, and what is recorded of the write. */
export const RecordLinks = ({ of: { id, tool_call_id: call } }: { of: Approval }) => <p class='small row tight'>
  <Link href={`/inbox/${id}`}>Its own page</Link>
  {call !== null && me.value?.role === 'admin' && <>
    <span class='muted' aria-hidden='true'>·</span>
    <Link href={`/settings/record?write=${call}`}>In the record</Link>
  </>}
</p>
