import { useSignal } from '@preact/signals'
import { useResource } from '../api/resource'
import { StateBadge } from '../parts/badge'
import { LoaderCircle } from '../parts/icons'
import { readDetails, type Approval } from './approval'
import { say } from '../texts/say'

const everyMs = 1_000

/** A write that runs, in a word that moves. */
export const Running = () => <span class='row tight muted' role='status'>
  <LoaderCircle size={14} class='spin' aria-hidden='true' />{say('proposal.running')}
</span>

/** The write of an approved card, from its start to its end, for whoever sees the card. */
export const Following = ({ approval }: { approval: Approval }) => {
  const { id, status, tool_call_id: call, outcome: known } = approval
  const isFollowed = status === 'approved' && call !== null
  const ended = useSignal(known?.finished_at != null)
  const { data: outcome = known } = useResource([id, status], async (signal) => {
    if (!isFollowed || ended.value) return known
    const found = (await readDetails(id, signal)).outcome
    ended.value = found?.finished_at != null
    return found
  }, isFollowed && !ended.value ? { every: everyMs } : {})
  if (!isFollowed) return null
  return outcome?.finished_at ? <StateBadge state={outcome.status} /> : <Running />
}
