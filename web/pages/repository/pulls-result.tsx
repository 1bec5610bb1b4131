import type { Schemas } from '../../api/client'
import { PullCard } from './pull-card'
import type { ViewProps } from '../../results/operation'
import { say } from '../../texts/say'

/** Pull requests as cards; a long list is a table. */
export default function PullsResult ({ result: { items, stale } }: ViewProps<Schemas['PullPage']>) {
  return (
    <div class='stack tight'>
      {stale && <p class='small muted'>{say('pull.limited')}</p>}
      {items.length === 0 && <p class='muted'>{say('pull.unfit')}</p>}
      {items.map((pull) => <PullCard key={pull.id} pull={pull} />)}
    </div>
  )
}
