import type { Schemas } from '../../api/client'
import { StateBadge } from '../../parts/badge'
import type { ViewProps } from '../../results/operation'
import { HostLink } from './host-link'
import { say } from '../../texts/say'

/** The issue that a write has created, or has found as it was. */
export default function IssueResult ({ result: { issue, outcome } }: ViewProps<Schemas['CreatedIssue']>) {
  return (
    <section class='result-card' aria-label={say('issue.of', { number: String(issue.number) })}>
      <div class='row tight'>
        <strong class='grow'>{issue.title} <span class='muted'>#{issue.number}</span></strong>
        <StateBadge state={issue.state} /><span class='small muted'>{outcome}</span>
      </div>
      <p><HostLink class='button small' href={issue.html_url}>{say('repository.open')}</HostLink></p>
    </section>
  )
}
