import { Link } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { Badge, StateBadge } from '../../parts/badge'
import { GitPullRequest } from '../../parts/icons'
import { Time } from '../../parts/time'
import { HostLink } from './host-link'

/** A pull request, with the ways to it. */
export const PullCard = ({ pull, note }: { pull: Schemas['PullRequest'], note?: string }) => <section
  class='result-card' aria-label={`Pull request ${pull.number}`}
>
  <div class='row tight'>
    <GitPullRequest size={16} aria-hidden='true' />
    <strong class='grow'>{pull.title} <span class='muted'>#{pull.number}</span></strong>
    <StateBadge state={pull.state} />{pull.draft && <Badge>draft</Badge>}
  </div>
  <p class='small muted'>
    <code>{pull.head.ref}</code> → <code>{pull.base.ref}</code>
    {pull.author && <> by {pull.author}</>}, <Time at={pull.updated_at} />{note && ` · ${note}`}
  </p>
  <div class='row tight'>
    <HostLink class='button small' href={pull.html_url}>Open on the code host</HostLink>
    <Link class='button small' href={`/repositories/${pull.repo_id}/pulls`}>All of the repository</Link>
  </div>
</section>
