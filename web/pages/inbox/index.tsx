import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { Inbox } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { useSettled } from '../../api/settled'
import { ApprovalCard } from '../../approvals/approval-card'
import type { OnChange } from '../../approvals/decision'
import { planAddress } from '../../approvals/steps'
import { List } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { Empty } from '../../parts/states'
import { Tabs } from '../../parts/tabs'
import { Time } from '../../parts/time'
import { useFilters } from '../../shell/location'
import { me } from '../../shell/session'
import { announce, onAnnounced } from '../chat/tabs'
import { clearFilters, InboxFilters, isFiltered } from './filters'
import { Rows } from './rows'
import { addressOf, filterNames, hasStatus, queryOf, viewOf, views, type Filters, type View } from './views'
import { say, sayWith, type Key } from '../../texts/say'

type Item = Schemas['Confirmation']

/** An approval and the one that replaces it have the same key: they belong to the same call. */
const keyOf = ({ tool_call_id: call, id }: Item): string => call ?? id

/** The newer state of an approval, and where it stood. */
interface Found { item: Item, at: number }

/** @returns the pending approvals with the newer states that this page has learned since the list was read */
const withFound = (waiting: Item[], found: ReadonlyMap<string, Found>): Item[] => {
  const keys = new Set(waiting.map(keyOf))
  const now = waiting.map((item) => {
    const seen = found.get(keyOf(item))?.item
    return seen && seen.id >= item.id ? seen : item
  })
  // An approval that was decided, or waits for others now, has left the list: it stays where it was.
  const gone = [...found.values()].filter(({ item }) => !keys.has(keyOf(item))).toSorted((a, b) => a.at - b.at)
  for (const { item, at } of gone) now.splice(at, 0, item)
  return now
}

const Asked = ({ item }: { item: Item }) => {
  const when = <Time at={item.requested_at} />
  const { requested_by: by } = item
  if (by.id !== me.value?.user.id) return <>{sayWith('inbox.asked.by', { when, name: by.name })}</>
  const session = <Link href={`/chat/${item.session_id}`}>{item.session_title ?? say('inbox.untitled')}</Link>
  return <>{sayWith('inbox.asked.in', { when, session })}</>
}

/** How many writes of its run wait beside it: all that wait are of one turn. */
const countOfRun = (items: readonly Item[], { run_id: run }: Item): number =>
  items.filter((item) => item.run_id === run && item.kind === 'tool' && item.status === 'pending').length

const InboxItem = ({ item, together, onChange }: { item: Item, together: number, onChange: OnChange }) => <li
  class='stack tight'
>
  <p class='small muted'>
    <Asked item={item} /> · <Link href={`/inbox/${item.id}`}>{say('inbox.open')}</Link>
    {together > 1 && <> · <Link href={planAddress(item.id)}>{say('inbox.plan', { count: together })}</Link></>}
  </p>
  <ApprovalCard approval={item} onChange={onChange} />
</li>

const titles: Record<View, Key> = {
  '': 'inbox.none.mine',
  others: 'inbox.none.others',
  asked: 'inbox.none.asked',
  decided: 'inbox.none.decided',
  all: 'inbox.none.all'
}

const Nothing = ({ view, filters }: { view: View, filters: Filters }) => <div class='card'>
  {isFiltered(filters)
    ? <Empty icon={Inbox} title={say('inbox.unfit')}>
      <p>{say('inbox.unfit.words')}</p>
      <button type='button' onClick={() => clearFilters(filters)}>{say('inbox.unfit.clear')}</button>
    </Empty>
    : <Empty icon={Inbox} title={say(titles[view])}>
      <p>{say('inbox.none.words')}</p>
      <Link class='button' href='/'>{say('inbox.none.ask')}</Link>
    </Empty>}
</div>

const useItems = (filters: Filters) => {
  const q = useSettled(filters.q.value.trim())
  const query = { ...queryOf(filters), q: q || undefined }
  const keys = Object.values(query)
  const pages = usePages<Item>(keys, (cursor, signal) => body(api.GET('/api/v1/agent/confirmations',
    { params: { query: { ...query, limit: 30, cursor } }, signal })), { every: 10_000 })
  return { pages, key: keys.join('\n') }
}

const useFound = (key: string) => {
  const found = useSignal<{ of: string, items: ReadonlyMap<string, Found> }>({ of: key, items: new Map() })
  const items = found.value.of === key ? found.value.items : new Map<string, Found>()
  const onChange = (item: Item, at: number): OnChange => (approval) => {
    const next = new Map(items)
    next.set(keyOf(item), { item: { ...item, ...approval }, at })
    found.value = { of: key, items: next }
    announce(item.session_id)
  }
  return { items, onChange }
}

/** Everything that was asked: what waits, for whom, and what was decided. */
export default function InboxPage () {
  const filters = useFilters(filterNames)
  const view = viewOf(filters.view.value)
  const { pages, key } = useItems(filters)
  const { reload } = pages
  const found = useFound(key)
  useEffect(() => onAnnounced(reload), [key])
  const items = hasStatus(view) ? pages.items : withFound(pages.items, found.items)
  // An object's keys are text to TypeScript.
  const shown = Object.keys(views) as View[]
  return (
    <div class='page'>
      <PageHead title={say('inbox.title')} guide='approvals#the-list-of-approvals'>{say('inbox.words')}</PageHead>
      <Tabs
        label={say('inbox.views')} current={addressOf(view, filters)}
        tabs={shown.map((name) => [say(views[name]), addressOf(name, filters)])}
      />
      <InboxFilters filters={filters} />
      <List of={{ ...pages, items }} empty={<Nothing view={view} filters={filters} />}>
        {(all) => hasStatus(view)
          ? <Rows items={all} />
          : <ul class='plain stack'>
            {all.map((item, at) => <InboxItem
              key={keyOf(item)} item={item} together={countOfRun(all, item)} onChange={found.onChange(item, at)}
            />)}
          </ul>}
      </List>
    </div>
  )
}
