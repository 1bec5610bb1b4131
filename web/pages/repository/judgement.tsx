import type { Schemas } from '../../api/client'
import { Badge, StateBadge } from '../../parts/badge'

type Pull = Schemas['PullRequest']

const Unknown = () => <span class='muted'>–</span>

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** What the reviewers say: the latest word of each counts. */
export const Reviews = ({ pull: { reviews, requested_reviewers: requested } }: { pull: Pull }) => {
  if (!reviews) return <Unknown />
  const { decision, approvals, changes_requested: refused } = reviews
  const words = [
    approvals > 0 && plural(approvals, 'approval', 'approvals'),
    refused > 0 && plural(refused, 'person wants changes', 'people want changes'),
    requested.length > 0 && `waits for ${requested.join(', ')}`
  ].filter((word) => word !== false)
  return (
    <>{decision ? <StateBadge state={decision} /> : words.length === 0 && <span class='muted'>none</span>}
      {words.length > 0 && <div class='small muted'>{words.join(', ')}</div>}
    </>
  )
}

/** What checks say of the newest commit. */
export const Checks = ({ pull: { checks } }: { pull: Pull }) => {
  if (!checks) return <Unknown />
  if (checks.state === 'none') return <span class='muted'>none</span>
  const { state, total, failed, pending } = checks
  const passed = total - failed - pending
  const text = [
    failed > 0 && `${failed} failed`, pending > 0 && `${pending} under way`, `${passed} of ${total} passed`
  ].filter((word) => word !== false)
  return (
    <><Badge tone={state === 'success' ? 'good' : state === 'failure' ? 'bad' : 'warn'}>{state}</Badge>
      <div class='small muted'>{text.join(', ')}</div>
    </>
  )
}
