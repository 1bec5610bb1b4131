import { Link } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { Badge, StateBadge } from '../../parts/badge'
import { GitPullRequest } from '../../parts/icons'
import { Time } from '../../parts/time'
import { HostLink } from './host-link'
import { say } from '../../texts/say'

/** A pull request, with the ways to it. */
export const PullCard = ({ pull, note }: { pull: Schemas['PullRequest'], note?: string }) => <section
  class='result-card' aria-label={say('pull.of', { number: String(pull.number) })}
>
  <div class='row tight'>
    <GitPullRequest size={16} aria-hidden='true' />
    <strong class='grow'>{pull.title} <span class='muted'>#{pull.number}</span></strong>
    <StateBadge state={pull.state} />{pull.draft && <Badge>{say('pull.draft')}</Badge>}
  </div>
  <p class='small muted'>
    <code>{pull.head.ref}</code> → <code>{pull.base.ref}</code>
    {pull.author && <> {say('pull.by', { name: pull.author })}</>}, <Time at={pull.updated_at} />{note && ` · ${note}`}
  </p>
  <div class='row tight'>
    <HostLink class='button small' href={pull.html_url}>{say('repository.open')}</HostLink>
    <Link class='button small' href={`/repositories/${pull.repo_id}/pulls`}>{say('pull.all')}</Link>
  </div>
</section>
