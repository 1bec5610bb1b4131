import { StateBadge } from '../parts/badge'
import { Time } from '../parts/time'
import type { Approval, Plan } from './approval'
import { Details } from './details'
import { Preview } from './preview'
import { Whole } from './whole'

const becomes: Partial<Record<Approval['status'], string>> = {
  rejected: 'nothing was executed',
  expired: 'no decision came in time; nothing was executed',
  closed: 'closed without a decision; nothing was executed'
}

/** The outcome. The decision is the reader's own: no other person sees the session. */
export const Ending = ({ approval: { status, decided_at: at } }: { approval: Approval }) => <>
  <StateBadge state={status} />
  {at && <span>by you, <Time at={at} /></span>}
  {becomes[status] && <span>{becomes[status]}</span>}
</>

const Edited = ({ approval, proposed }: { approval: Approval, proposed: Plan }) => <>
  <section class='stack tight' aria-label='What was asked'>
    <p class='small muted'>Asked: {proposed.summary}</p>
    <Preview rows={proposed.preview} again={approval.replaces !== null} />
  </section>
  <section class='stack tight' aria-label='What was approved'>
    <p class='small muted'>You edited it, and approved this:</p>
    <Preview rows={approval.preview} />
  </section>
</>

/** What was shown and decided; later changes of the state do not alter it. */
export const Settled = ({ approval, onWhole }: { approval: Approval, onWhole: (whole: Approval) => void }) => <>
  {approval.proposed
    ? <Edited approval={approval} proposed={approval.proposed} />
    : <Preview rows={approval.preview} again={approval.replaces !== null} />}
  <Whole approval={approval} onWhole={onWhole} />
  <Details approval={approval} shown={approval} />
</>
