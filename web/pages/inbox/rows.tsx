import { Link } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { Running } from '../../approvals/following'
import { StateBadge } from '../../parts/badge'
import { formatSummary } from '../../parts/label'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Item = Schemas['Confirmation']

/** What was decided, and what became of an approved write, which leads to its page. */
const Became = ({ item: { id, status, outcome } }: { item: Item }) => <span class='row tight'>
  <StateBadge state={status} />
  {outcome && <Link href={`/inbox/${id}`}>
    {outcome.finished_at ? <StateBadge state={outcome.status} /> : <Running />}
  </Link>}
</span>

const Row = ({ item }: { item: Item }) => <tr>
  <td><Link href={`/inbox/${item.id}`}>{formatSummary(item)}</Link>
    {item.status === 'pending' && item.waits_for &&
      <div class='small muted'>{say('inbox.waits', { who: translate('plans', item.waits_for) })}</div>}
    {item.changes && <div class='small muted'>{say('inbox.changes', { words: item.changes })}</div>}
    {item.reason && <div class='small muted'>{item.reason}</div>}
  </td>
  <td><Became item={item} /></td>
  <td>{item.requested_by.name}<div class='small muted'><Time at={item.requested_at} /></div></td>
  <td>{item.decided_by?.name ?? <span class='muted'>–</span>}
    {item.decided_at && <div class='small muted'><Time at={item.decided_at} /></div>}
  </td>
</tr>

const columns =
  ['inbox.column.change', 'inbox.filter.status', 'inbox.filter.askedBy', 'inbox.filter.decidedBy'] as const

/** What was asked, each with a link to its page. */
export const Rows = ({ items }: { items: readonly Item[] }) => <section
  class='card flush' aria-label={say('inbox.rows')}
>
  <Table columns={columns.map((key) => say(key))}>
    {items.map((item) => <Row key={item.id} item={item} />)}
  </Table>
</section>
