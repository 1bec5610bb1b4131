import type { Schemas } from '../../api/client'
import { PullCard } from './pull-card'
import type { ViewProps } from '../../results/operation'

/** Pull requests as cards; a long list is a table. */
export default function PullsResult ({ result: { items, stale } }: ViewProps<Schemas['PullPage']>) {
  return (
    <div class='stack tight'>
      {stale && <p class='small muted'>The code host limits requests: this is its earlier answer.</p>}
      {items.length === 0 && <p class='muted'>No pull request fits.</p>}
      {items.map((pull) => <PullCard key={pull.id} pull={pull} />)}
    </div>
  )
}
