import { Inbox } from 'lucide-preact'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { decide, type Approval, type Decision } from '../../approvals/approval'
import { ApprovalCard } from '../../approvals/approval-card'
import { List } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { Empty } from '../../parts/states'
import { Time } from '../../parts/time'
import { announce } from '../chat/tabs'

type Confirmation = Schemas['Confirmation']
interface ItemProps { item: Confirmation, onChange: () => void }

const Item = ({ item, onChange }: ItemProps) => {
  const approval: Approval = item
  const onDecide = async (decision: Decision) => {
    try {
      await decide(approval, decision)
    } finally {
      // Decided here, or found to be decided or closed elsewhere: the list is old either way.
      announce(item.session_id)
      onChange()
    }
  }
  return (
    <li class='stack tight'>
      <p class='small muted'>Asked <Time at={item.requested_at} /> in{' '}
        <Link href={`/chat/${item.session_id}`}>{item.session_title ?? 'an untitled session'}</Link>
      </p>
      <ApprovalCard approval={approval} onDecide={onDecide} />
    </li>
  )
}

const Nothing = () => <div class='card'><Empty icon={Inbox} title='Nothing waits for you'>
  <p>When the assistant wants to change something, the question appears here and in its session.</p>
</Empty>
</div>

/** Everything that waits for me, over all sessions. */
export default function InboxPage () {
  const pending = usePages<Confirmation>([], (cursor, signal) => body(api.GET('/api/v1/agent/confirmations',
    { params: { query: { status: 'pending', limit: 30, cursor } }, signal })), { every: 10_000 })
  return (
    <div class='page'>
      <PageHead title='Inbox'>What the assistant asked and nobody has answered.</PageHead>
      <List of={pending} empty={<Nothing />}>
        {(items) => <ul class='plain stack'>
          {items.map((item) => <Item key={item.id} item={item} onChange={pending.reload} />)}
        </ul>}
      </List>
    </div>
  )
}
