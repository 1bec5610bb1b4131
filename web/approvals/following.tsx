import { Link } from 'wouter-preact'
import { useResource } from '../api/resource'
import { StateBadge } from '../parts/badge'
import { LoaderCircle } from '../parts/icons'
import { readDetails, type Approval } from './approval'
import { pageOfTarget } from './target-page'
import { say } from '../texts/say'

const everyMs = 1_000

/** A write that runs, in a word that moves. */
export const Running = () => <span class='row tight muted' role='status'>
  <LoaderCircle size={14} class='spin' aria-hidden='true' />{say('proposal.running')}
</span>

/** The states of a call before its end, as the stream and the record name them. */
const before = new Set(['awaiting', 'awaiting_confirmation', 'approved', 'auto_approved', 'dispatching', 'running'])

export const hasEnded = (status: string): boolean => !before.has(status)

/** What became of an approved write, with the page of what it was done to. */
export const Became = ({ approval, status }: { approval: Approval, status: string | undefined }) => {
  if (status === undefined || !hasEnded(status)) return <Running />
  const page = status === 'succeeded' ? pageOfTarget(approval) : undefined
  return (
    <>
      <StateBadge state={status} />
      {page && <Link href={page.href}>{page.label}</Link>}
    </>
  )
}

/** The write of an approved card, read from its start to its end, for whoever sees the card. */
export const Following = ({ approval }: { approval: Approval }) => {
  const { id, outcome: known } = approval
  const { data: outcome } = useResource([id], async (signal) => (await readDetails(id, signal)).outcome,
    { every: everyMs, first: known, until: (read) => read?.finished_at != null })
  return <Became approval={approval} status={outcome?.finished_at ? outcome.status : undefined} />
}
