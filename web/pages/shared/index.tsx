import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { useResource } from '../../api/resource'
import { Users } from '../../parts/icons'
import { List, MoreButton } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { Empty, Loaded } from '../../parts/states'
import { Time } from '../../parts/time'
import { EntryView } from '../chat/entry'
import { fromMessages } from '../chat/transcript'
import { say, sayWith } from '../../texts/say'
import '../chat/chat.css'

type Session = Schemas['SharedSession']

const Item = ({ session }: { session: Session }) => <li>
  <Link href={`/shared/${session.id}`}>{session.title ?? say('shared.untitled')}</Link>
  <p
    class='small muted'
  >{sayWith('shared.by', { name: session.owner.name, when: <Time at={session.shared_at} /> })}
  </p>
</li>

const SharedSessions = () => {
  const sessions = usePages<Session>([], (cursor, signal) =>
    body(api.GET('/api/v1/agent/shared-sessions', { params: { query: { limit: 30, cursor } }, signal })))
  return (
    <div class='page'>
      <PageHead title={say('shared.title')} />
      <List
        of={sessions}
        empty={<Empty icon={Users} title={say('shared.none')}><p>{say('shared.none.words')}</p></Empty>}
      >{(items) => <ul class='plain card stack'>
        {items.map((session) => <Item key={session.id} session={session} />)}
      </ul>}
      </List>
    </div>
  )
}

const Messages = ({ id }: { id: string }) => {
  const messages = usePages<Schemas['ChatMessage']>([id], (cursor, signal) =>
    body(api.GET('/api/v1/agent/shared-sessions/{session_id}/messages', {
      params: { path: { session_id: id }, query: { limit: 50, cursor } }, signal
    })))
  return (
    <>
      {messages.more && <MoreButton more={messages.more} />}
      <ol class='plain entries'>
        {fromMessages(messages.items, new Map(), []).map((entry) =>
          <EntryView key={entry.id} entry={entry} live={false} onChange={() => undefined} />)}
      </ol>
    </>
  )
}

const OneSession = ({ id }: { id: string }) => {
  const session = useResource([id], (signal) => body(api.GET('/api/v1/agent/shared-sessions/{session_id}', {
    params: { path: { session_id: id } }, signal
  })))
  return (
    <div class='page'>
      <Loaded of={session}>{({ title, owner, last_activity_at: at }) => <>
        <PageHead title={title ?? say('shared.untitled')} />
        <p class='small muted'>{sayWith('shared.one', { name: owner.name, when: <Time at={at} /> })}</p>
        <Messages id={id} />
      </>}
      </Loaded>
    </div>
  )
}

/** Sessions that people of the workspace share, to read. */
export default function SharedPage ({ id }: { id?: string }) {
  return id === undefined ? <SharedSessions /> : <OneSession id={id} />
}
