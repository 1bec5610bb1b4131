import { useSignal } from '@preact/signals'
import { api, body } from '../api/client'
import { useResource } from '../api/resource'
import { StateBadge } from '../parts/badge'
import { LoaderCircle } from '../parts/icons'
import { me } from '../shell/session'
import type { Approval } from './approval'
import { say } from '../texts/say'

const everyMs = 1_000

/** The write of an approved card, from its start to its end. Only the person who asked may read the call. */
export const Following = ({ approval }: { approval: Approval }) => {
  const { status, tool_call_id: id, requested_by: by } = approval
  const ended = useSignal(false)
  const isFollowed = status === 'approved' && id !== null && (by === undefined || by.id === me.value?.user.id)
  const { data: call } = useResource([id, status], async (signal) => {
    if (!isFollowed) return undefined
    const params = { path: { tool_call_id: id } }
    const found = await body(api.GET('/api/v1/agent/tool-calls/{tool_call_id}', { params, signal }))
    ended.value = found.finished_at !== null
    return found
  }, isFollowed && !ended.value ? { every: everyMs } : {})
  if (!isFollowed) return null
  return call?.finished_at
    ? <StateBadge state={call.status} />
    : <span class='row tight muted' role='status'>
      <LoaderCircle size={14} class='spin' aria-hidden='true' />{say('proposal.running')}
    </span>
}
