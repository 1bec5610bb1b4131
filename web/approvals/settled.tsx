import { StateBadge } from '../parts/badge'
import { Notice } from '../parts/notice'
import { Time } from '../parts/time'
import { me } from '../shell/session'
import type { Approval, Plan } from './approval'
import { Details } from './details'
import { GrantOffer } from './grant-offer'
import { StepNote } from './plan-offer'
import { Preview } from './preview'
import { RecordLinks } from './record-links'
import { Whole } from './whole'

const becomes: Partial<Record<Approval['status'], string>> = {
  rejected: 'nothing was executed',
  expired: 'no decision came in time; nothing was executed',
  closed: 'closed without a decision; nothing was executed'
}

/** A step that was approved is closed where an earlier one ends the plan. */
const becomesOf = ({ status, steps, decided_at: at }: Approval): string | undefined =>
  status === 'closed' && steps && at ? 'the plan had stopped; nothing was executed' : becomes[status]

/** @returns who decided; the stream does not say it, as only the reader's own approvals are in it */
const decider = ({ decided_by: by }: Approval): string => by && by.id !== me.value?.user.id ? by.name : 'you'

const editor = (approval: Approval): string => decider(approval) === 'you' ? 'You' : decider(approval)

/** The outcome. */
export const Ending = ({ approval }: { approval: Approval }) => <>
  <StateBadge state={approval.status} />
  {approval.decided_at && <span>by {decider(approval)}, <Time at={approval.decided_at} /></span>}
  {becomesOf(approval) && <span>{becomesOf(approval)}</span>}
</>

const Edited = ({ approval, proposed }: { approval: Approval, proposed: Plan }) => <>
  <section class='stack tight' aria-label='What was asked'>
    <p class='small muted'>Asked: {proposed.summary}</p>
    <Preview rows={proposed.preview} again={approval.replaces !== null} />
  </section>
  <section class='stack tight' aria-label='What was approved'>
    <p class='small muted'>{editor(approval)} edited it, and approved this:</p>
    <Preview rows={approval.preview} />
  </section>
</>

/** What the person who decided said. */
const Words = ({ approval: { reason, changes } }: { approval: Approval }) => <>
  {changes && <Notice><strong>Asked for changes:</strong> <span class='written'>{changes}</span></Notice>}
  {reason && <Notice><strong>The reason:</strong> <span class='written'>{reason}</span></Notice>}
</>

/** What was shown and decided; later changes of the state do not alter it. */
export const Settled = ({ approval, onWhole }: { approval: Approval, onWhole: (whole: Approval) => void }) => <>
  {approval.proposed
    ? <Edited approval={approval} proposed={approval.proposed} />
    : <Preview rows={approval.preview} again={approval.replaces !== null} />}
  <Words approval={approval} />
  <StepNote of={approval} />
  <Whole approval={approval} onWhole={onWhole} />
  <Details approval={approval} shown={approval} />
  <RecordLinks of={approval} />
  <GrantOffer approval={approval} />
</>
