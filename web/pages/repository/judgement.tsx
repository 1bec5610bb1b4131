import type { Schemas } from '../../api/client'
import { StateBadge } from '../../parts/badge'
import { say } from '../../texts/say'

type Pull = Schemas['PullRequest']

const Unknown = () => <span class='muted'>–</span>

/** What the reviewers say: the latest word of each counts. */
export const Reviews = ({ pull: { reviews, requested_reviewers: people, requested_teams: teams } }: { pull: Pull }) => {
  if (!reviews) return <Unknown />
  const { decision, approvals, outdated_approvals: outdated, other_approvals: others } = reviews
  const refused = reviews.changes_requested
  const requested = [...people, ...teams.map((name) => say('pull.team', { name }))]
  const words = [
    approvals > 0 && say('pull.approvals', { count: approvals }),
    outdated > 0 && say('pull.outdated', { count: outdated }),
    others > 0 && say('pull.otherApprovals', { count: others }),
    refused > 0 && say('pull.refused', { count: refused }),
    requested.length > 0 && say('pull.waits', { names: requested.join(', ') })
  ].filter((word) => word !== false)
  return (
    <>{decision ? <StateBadge state={decision} /> : words.length === 0 && <span class='muted'>{say('pull.none')}</span>}
      {words.length > 0 && <div class='small muted'>{words.join(', ')}</div>}
    </>
  )
}

/** What checks say of the newest commit. */
export const Checks = ({ pull: { checks, merge_state: mergeState } }: { pull: Pull }) => {
  if (!checks) return <Unknown />
  if (checks.state === 'none') return <span class='muted'>{say('pull.none')}</span>
  const { state, total, failed, pending, skipped } = checks
  const passed = total - failed - pending - skipped
  const text = [
    failed > 0 && say('pull.failed', { count: failed }),
    pending > 0 && say('pull.pending', { count: pending }),
    say('pull.passed', { passed, total }),
    skipped > 0 && say('pull.skipped', { count: skipped }),
    mergeState === 'blocked' && say('pull.blocked')
  ].filter((word) => word !== false)
  return (
    <><StateBadge state={state} />
      <div class='small muted'>{text.join(', ')}</div>
    </>
  )
}
