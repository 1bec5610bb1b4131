import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { MessageSquarePlus, MessagesSquare, Search } from '../../parts/icons'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import type { ResourceOptions } from '../../api/resource'
import { Empty } from '../../parts/states'
import { List, MoreButton } from '../../parts/list'
import { SessionItem } from './session-item'
import { onAnnounced } from './tabs'
import { say } from '../../texts/say'

/** A search looks at all; without one the pinned ones are a list of their own. */
const useSessions = (q: string, pinned: boolean, options: Pick<ResourceOptions<unknown>, 'every'>) =>
  usePages<Schemas['FoundChatSession']>([q, pinned], (cursor, signal) => body(api.GET('/api/v1/agent/sessions', {
    params: { query: { limit: 30, cursor, ...(q === '' ? { pinned } : { q }) } }, signal
  })), options)

const SearchField = ({ onSearch }: { onSearch: (q: string) => void }) => {
  const text = useSignal('')
  useEffect(() => {
    const timer = setTimeout(() => onSearch(text.value.trim()), 200)
    return () => clearTimeout(timer)
  }, [text.value])
  return (
    <label class='search'>
      <span class='unseen'>{say('chat.search')}</span>
      <Search size={15} aria-hidden='true' />
      <input
        type='search' placeholder={say('chat.search.hint')} value={text.value}
        onInput={(event) => { text.value = event.currentTarget.value }}
      />
    </label>
  )
}

const NoSessions = ({ q }: { q: string }) => q === ''
  ? <Empty icon={MessagesSquare} title={say('chat.none')}><p>{say('chat.none.words')}</p></Empty>
  : <Empty icon={Search} title={say('chat.unfound')}><p>{say('chat.unfound.words', { words: q })}</p></Empty>

/** My sessions, most recent first. */
export const SessionList = ({ current }: { current: string | undefined }) => {
  const q = useSignal('')
  const sessions = useSessions(q.value, false, { every: 10_000 })
  // Its changes are announced, and few: it is not read again and again.
  const pinned = useSessions('', true, {})
  const reload = () => {
    sessions.reload()
    pinned.reload()
  }
  useEffect(() => onAnnounced(reload), [sessions.reload, pinned.reload])
  const listOf = (items: readonly Schemas['FoundChatSession'][]) => <ul class='plain'>
    {items.map((session) =>
      <SessionItem key={session.id} session={session} current={session.id === current} onChange={reload} />)}
  </ul>
  return (
    <nav class='sessions' aria-label={say('chat.sessions')}>
      <div class='sessions-head'>
        <Link href='/' class='button'><MessageSquarePlus size={16} aria-hidden='true' />{say('chat.new')}</Link>
        <Link href='/shared' class='small'>{say('chat.others')}</Link>
        <SearchField onSearch={(text) => { q.value = text }} />
      </div>
      {q.value === '' && pinned.items.length > 0 && <section aria-label={say('chat.pinned.label')}>
        <h2 class='small muted'>{say('chat.pinned')}</h2>
        {listOf(pinned.items)}
        {pinned.more && <MoreButton more={pinned.more} />}
      </section>}
      <List of={sessions} empty={pinned.items.length > 0 && q.value === '' ? null : <NoSessions q={q.value} />}>
        {listOf}
      </List>
    </nav>
  )
}
