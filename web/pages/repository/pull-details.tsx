import type { ComponentChildren } from 'preact'
import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { StateBadge } from '../../parts/badge'
import { Notice } from '../../parts/notice'
import { Loaded } from '../../parts/states'
import { Time } from '../../parts/time'
import { say } from '../../texts/say'
import { HostLink } from './host-link'

type Pull = Schemas['PullRequest']
type Detail = Schemas['PullDetail']

interface NamedProps { state: string, name: string, href: string | null, children?: ComponentChildren }

/** A state, and whose it is. */
const Named = ({ state, name, href, children }: NamedProps) => <li>
  <StateBadge state={state} />{' '}<HostLink href={href} without={name}>{name}</HostLink>{children}
</li>

const Checks = ({ checks }: Pick<Detail, 'checks'>) => {
  if (!checks) return <p class='muted'>{say('pull.checks.unknown')}</p>
  if (checks.length === 0) return <p class='muted'>{say('pull.checks.none')}</p>
  return (
    <ul class='plain' aria-label={say('pull.checks')}>
      {checks.map(({ name, state, required, html_url: href }, index) =>
        <Named key={index} state={state} name={name} href={href}>
          {required && <span class='muted'>, {say('pull.required')}</span>}
        </Named>)}
    </ul>
  )
}

type Review = Schemas['PullReview']

const nameOf = ({ reviewer, team }: Review): string =>
  team === null ? reviewer ?? say('pull.gone') : say('pull.team', { name: team })

/** Why a review does not count, or not as it seems. */
const limitsOf = ({ outdated, asked_again: again, may_write: mayWrite }: Review): string[] => [
  ...(outdated ? [say('pull.isOutdated')] : []),
  ...(again ? [say('pull.askedAgain')] : []),
  ...(mayWrite === false ? [say('pull.mayNotWrite')] : [])
]

const Reviews = ({ reviews }: Pick<Detail, 'reviews'>) => {
  if (!reviews) return <p class='muted'>{say('pull.reviews.unknown')}</p>
  if (reviews.length === 0) return <p class='muted'>{say('pull.reviews.none')}</p>
  return (
    <ul class='plain' aria-label={say('pull.reviews')}>
      {reviews.map((review, index) =>
        <Named key={index} state={review.verdict} name={nameOf(review)} href={review.html_url}>
          {review.submitted_at && <span class='muted'>, <Time at={review.submitted_at} /></span>}
          {limitsOf(review).map((words) => <span key={words} class='muted'>, {words}</span>)}
        </Named>)}
    </ul>
  )
}

/** Read only once it is opened: a list of pull requests costs the code host no request for each. */
const Opened = ({ pull: { repo_id: id, number, updated_at: at } }: { pull: Pull }) => {
  const detail = useResource([id, number, at], (signal) => body(api.GET('/codehost/repos/{repo_id}/pulls/{number}',
    { params: { path: { repo_id: id, number } }, signal })))
  return (
    <Loaded of={detail}>{({ checks, reviews, stale }) => <>
      {stale && <Notice tone='warn'>{say('repository.stale')}</Notice>}
      <h3>{say('pull.checks')}</h3><Checks checks={checks} />
      <h3>{say('pull.reviews')}</h3><Reviews reviews={reviews} />
    </>}
    </Loaded>
  )
}

/** A pull request's title, which opens to what it says, each check and each reviewer. */
export const PullDetails = ({ pull }: { pull: Pull }) => {
  const isOpen = useSignal(false)
  return (
    <details onToggle={({ currentTarget }) => { isOpen.value = currentTarget.open }}>
      <summary>{pull.title}</summary>
      {isOpen.value && <div class='stack tight small'>
        {pull.body_excerpt && <div class='written'>{pull.body_excerpt}</div>}
        <Opened pull={pull} />
      </div>}
    </details>
  )
}
