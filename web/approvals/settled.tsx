import { StateBadge } from '../parts/badge'
import { Notice } from '../parts/notice'
import { Time } from '../parts/time'
import { formatSummary } from '../parts/label'
import { me } from '../shell/session'
import type { Approval, Plan } from './approval'
import { Details } from './details'
import { GrantOffer } from './grant-offer'
import { StepNote } from './plan-offer'
import { Preview } from './preview'
import { RecordLinks } from './record-links'
import { Whole } from './whole'
import { say, sayWith, type Key } from '../texts/say'

const becomes: Partial<Record<Approval['status'], Key>> = {
  rejected: 'settled.rejected', expired: 'settled.expired', closed: 'settled.closed'
}

/** A step that was approved is closed where an earlier one ends the plan. */
const becomesOf = ({ status, steps, decided_at: at }: Approval): Key | undefined =>
  status === 'closed' && steps && at ? 'settled.stopped' : becomes[status]

/** @returns who decided, unless it was the reader: the stream does not say it, as only their own approvals are in it */
const deciderOf = ({ decided_by: by }: Approval): string | undefined =>
  by && by.id !== me.value?.user.id ? by.name : undefined

const Decided = ({ approval }: { approval: Approval }) => {
  const name = deciderOf(approval)
  const when = <Time at={approval.decided_at} />
  return <span>{name === undefined ? sayWith('settled.byYou', { when }) : sayWith('settled.by', { name, when })}</span>
}

/** The outcome. */
export const Ending = ({ approval }: { approval: Approval }) => {
  const outcome = becomesOf(approval)
  return (
    <>
      <StateBadge state={approval.status} />
      {approval.decided_at && <Decided approval={approval} />}
      {outcome && <span>{say(outcome)}</span>}
    </>
  )
}

const Edited = ({ approval, proposed }: { approval: Approval, proposed: Plan }) => {
  const name = deciderOf(approval)
  const asked = formatSummary({ summary: proposed.summary, name: approval.name })
  return (
    <>
      <section class='stack tight' aria-label={say('settled.asked')}>
        <p class='small muted'>{say('settled.askedWas', { summary: asked })}</p>
        <Preview rows={proposed.preview} again={approval.replaces !== null} />
      </section>
      <section class='stack tight' aria-label={say('settled.approved')}>
        <p class='small muted'>
          {name === undefined ? say('settled.youEdited') : say('settled.edited', { name })}
        </p>
        <Preview rows={approval.preview} />
      </section>
    </>
  )
}

/** What the person who decided said. */
const Words = ({ approval: { reason, changes } }: { approval: Approval }) => <>
  {changes && <Notice><strong>{say('settled.changes')}</strong> <span class='written'>{changes}</span></Notice>}
  {reason && <Notice><strong>{say('settled.reason')}</strong> <span class='written'>{reason}</span></Notice>}
</>

interface Props {
  approval: Approval
  /** In a dialog that the reader has opened there is no conversation in which it could run again. */
  isOfDialog: boolean
  onWhole: (whole: Approval) => void
}

/** What was shown and decided; later changes of the state do not alter it. */
export const Settled = ({ approval, isOfDialog, onWhole }: Props) => <>
  {approval.proposed
    ? <Edited approval={approval} proposed={approval.proposed} />
    : <Preview rows={approval.preview} again={approval.replaces !== null} />}
  <Words approval={approval} />
  <StepNote of={approval} />
  <Whole approval={approval} onWhole={onWhole} />
  <Details approval={approval} shown={approval} />
  <RecordLinks of={approval} />
  {!isOfDialog && <GrantOffer approval={approval} />}
</>
