import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { MessageSquarePlus, MessagesSquare, Search } from '../../parts/icons'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { Empty } from '../../parts/states'
import { List } from '../../parts/list'
import { SessionItem } from './session-item'
import { onAnnounced } from './tabs'

const useSessions = (q: string) => usePages<Schemas['ChatSession']>([q], (cursor, signal) =>
  body(api.GET('/api/v1/agent/sessions', {
    params: { query: { limit: 30, cursor, q: q === '' ? undefined : q } }, signal
  })), { every: 10_000 })

const SearchField = ({ onSearch }: { onSearch: (q: string) => void }) => {
  const text = useSignal('')
  useEffect(() => {
    const timer = setTimeout(() => onSearch(text.value.trim()), 200)
    return () => clearTimeout(timer)
  }, [text.value])
  return (
    <label class='search'>
      <span class='unseen'>Search the sessions</span>
      <Search size={15} aria-hidden='true' />
      <input
        type='search' placeholder='Search sessions' value={text.value}
        onInput={(event) => { text.value = event.currentTarget.value }}
      />
    </label>
  )
}

const NoSessions = ({ q }: { q: string }) => q === ''
  ? <Empty icon={MessagesSquare} title='No sessions yet'><p>Your conversations appear here.</p></Empty>
  : <Empty icon={Search} title='Nothing found'><p>No title or message contains “{q}”.</p></Empty>

/** My sessions, most recent first. */
export const SessionList = ({ current }: { current: string | undefined }) => {
  const q = useSignal('')
  const sessions = useSessions(q.value)
  useEffect(() => onAnnounced(() => sessions.reload()), [sessions.reload])
  return (
    <nav class='sessions' aria-label='Sessions'>
      <div class='sessions-head'>
        <Link href='/' class='button'><MessageSquarePlus size={16} aria-hidden='true' />New chat</Link>
        <SearchField onSearch={(text) => { q.value = text }} />
      </div>
      <List of={sessions} empty={<NoSessions q={q.value} />}>
        {(items) => <ul class='plain'>
          {items.map((session) => <SessionItem
            key={session.id} session={session} current={session.id === current}
            onChange={sessions.reload}
          />)}
        </ul>}
      </List>
    </nav>
  )
}
