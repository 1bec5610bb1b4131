import type { Schemas } from '../api/client'
import { Badge, formatState } from '../parts/badge'
import { Time } from '../parts/time'
import type { Approval } from './approval'
import { say, sayWith } from '../texts/say'
import { translate } from '../texts/translate'

type Vote = Schemas['Vote']

const VoteLine = ({ vote: { person, on_behalf_of: of, decision, reason, counts, at, via } }: { vote: Vote }) => {
  const isYes = decision === 'approve'
  return (
    <li>
      <Badge tone={isYes ? 'good' : 'bad'}>{say(isYes ? 'vote.approved' : 'vote.rejected')}</Badge>{' '}
      <strong>{person.name}</strong>{of && <> {say('vote.for', { name: of.name })}</>}, <Time at={at} />
      {via !== 'browser' && <> {say('vote.via', { channel: formatState(via) })}</>}
      {!counts && isYes && <span class='muted'> {say('vote.void')}</span>}
      {reason && <p class='small written'>{reason}</p>}
    </li>
  )
}

/** What each person has said. */
export const Votes = ({ votes }: { votes: readonly Vote[] }) => <ul
  class='plain stack tight' aria-label={say('vote.list')}
>
  {votes.map((vote, index) => <VoteLine key={index} vote={vote} />)}
</ul>

/** When others begin to count, too. */
export const Escalation = ({ of: { escalates_at: at, escalated } }: { of: Approval }) => {
  if (!at) return null
  return <>{sayWith(escalated ? 'waits.since' : 'waits.from', { when: <Time at={at} /> })}</>
}

/** Of a question that needs more than a word of the reader: whom it waits for. */
export const WaitsFor = ({ of }: { of: Approval }) => {
  const { waits_for: waits, requirement, may_approve: may, status } = of
  if (status !== 'pending' || !waits) return null
  const isOrdinary = (requirement?.approvals ?? 1) === 1 && (requirement?.groups ?? []).length === 0 &&
    requirement?.exclude_requester !== true
  if (isOrdinary && may !== false) return null
  return <p class='small muted'>{say('waits.for', { who: translate('plans', waits) })} <Escalation of={of} /></p>
}
