import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { Inbox } from '../../parts/icons'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import type { Approval } from '../../approvals/approval'
import { ApprovalCard } from '../../approvals/approval-card'
import type { OnChange } from '../../approvals/decision'
import { List } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { Empty } from '../../parts/states'
import { Time } from '../../parts/time'
import { announce, onAnnounced } from '../chat/tabs'

type Item = Approval & { session_title: string | null }

/** An approval and the one that replaces it have the same key: they belong to the same call. */
const keyOf = ({ tool_call_id: call, id }: Approval): string => call ?? id

/** @returns the pending approvals with the newer states that this page has learned since the list was read */
const withFound = (waiting: Item[], found: ReadonlyMap<string, Item>): Item[] => {
  const keys = new Set(waiting.map(keyOf))
  const now = waiting.map((item) => {
    const seen = found.get(keyOf(item))
    return seen && seen.id >= item.id ? seen : item
  })
  // An approval that has left the list was decided elsewhere.
  const gone = [...found.values()].filter((item) => item.status !== 'pending' && !keys.has(keyOf(item)))
  return [...gone, ...now]
}

const InboxItem = ({ item, onChange }: { item: Item, onChange: OnChange }) => <li class='stack tight'>
  <p class='small muted'>Asked <Time at={item.requested_at} /> in{' '}
    <Link href={`/chat/${item.session_id}`}>{item.session_title ?? 'an untitled session'}</Link>
  </p>
  <ApprovalCard approval={item} onChange={onChange} />
</li>

const Nothing = () => <div class='card'><Empty icon={Inbox} title='Nothing waits for you'>
  <p>When the assistant wants to change something, its request appears here and in its session.</p>
</Empty>
</div>

/** My pending approvals in all sessions. */
export default function InboxPage () {
  const pending = usePages<Schemas['Confirmation']>([], (cursor, signal) => body(api.GET('/api/v1/agent/confirmations',
    { params: { query: { status: 'pending', limit: 30, cursor } }, signal })), { every: 10_000 })
  // A decision made here removes the approval; one made elsewhere, or a replacement, stays visible.
  const found = useSignal<ReadonlyMap<string, Item>>(new Map())
  const { reload } = pending
  useEffect(() => onAnnounced(reload), [])
  const onChange = (item: Item): OnChange => (approval, how) => {
    const next = new Map(found.value)
    if (how === 'decided') next.delete(keyOf(item))
    else next.set(keyOf(item), { ...item, ...approval })
    found.value = next
    announce(item.session_id)
  }
  const items = withFound(pending.items, found.value)
  return (
    <div class='page'>
      <PageHead title='Inbox'>Changes that wait for your decision.</PageHead>
      <List of={{ ...pending, items }} empty={<Nothing />}>
        {(shown) => <ul class='plain stack'>
          {shown.map((item) => <InboxItem key={keyOf(item)} item={item} onChange={onChange(item)} />)}
        </ul>}
      </List>
    </div>
  )
}
