import { Link } from 'wouter-preact'
import { me } from '../shell/session'
import type { Approval } from './approval'
import { say } from '../texts/say'

/** Where a decided question stays: its own page, and what is recorded of the write. */
export const RecordLinks = ({ of: { id, tool_call_id: call } }: { of: Approval }) => <p class='small row tight'>
  <Link href={`/inbox/${id}`}>{say('approval.page')}</Link>
  {call !== null && me.value?.role === 'admin' && <>
    <span class='muted' aria-hidden='true'>·</span>
    <Link href={`/settings/record?write=${call}`}>{say('approval.record')}</Link>
  </>}
</p>
