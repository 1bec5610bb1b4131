import { Link } from 'wouter-preact'
import { Monitor } from '../../parts/icons'
import { api, baseUrl, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { usePages } from '../../api/pages'
import { useResource } from '../../api/resource'
import { ActionButton } from '../../parts/action-button'
import { Badge } from '../../parts/badge'
import { List } from '../../parts/list'
import { ProblemNotice } from '../../parts/notice'
import { Empty, Loaded } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { nameBrowser } from './browser-name'
import { MyIdentities } from './identities'
import { say, sayWith } from '../../texts/say'

type Session = Schemas['BrowserSession']

/** Takes the passkey of whoever has one: the account is a way in from then on. */
const connect = async () => {
  const back = `${location.pathname}${location.search}`
  const { url } = await body(api.POST('/codehost/connection', { body: { return_to: back } }))
  location.assign(url)
}

const CodeHost = () => {
  const connection = useResource([], (signal) => body(api.GET('/codehost/connection', { signal })))
  return (
    <section class='card stack tight' aria-label={say('codehost.title')}>
      <h2>{say('codehost.title')}</h2>
      <Loaded of={connection}>{({ login }) => <p class='row'>
        <Badge
          tone='good'
        >{say('codehost.linked')}
        </Badge> <span>{sayWith('codehost.as', { login: <strong>{login}</strong> })}</span>
      </p>}
      </Loaded>
      <p class='row'>
        <ActionButton variant='small' act={connect}>{say('codehost.link')}</ActionButton>
        <a href={`${baseUrl}/sign-in`}>{say('codehost.connect')}</a>
      </p>
    </section>
  )
}

const Row = ({ session, onChange }: { session: Session, onChange: () => void }) => {
  const end = useAction(async () => {
    await body(api.DELETE('/account/sessions/{session_id}', { params: { path: { session_id: session.id } } }))
    onChange()
  })
  return (
    <tr>
      <td><span title={session.user_agent ?? undefined}>{nameBrowser(session.user_agent)}</span>{' '}
        {session.current && <Badge tone='info'>{say('browser.this')}</Badge>}
        {end.problem && <ProblemNotice problem={end.problem} />}
      </td>
      <td class='nowrap'><Time at={session.last_used_at} /></td>
      <td class='nowrap'><Time at={session.expires_at} /></td>
      <td>{!session.current && <button
        type='button' class='small danger' disabled={end.busy}
        onClick={() => { void end.run() }}
      >{say('common.end')}
      </button>}
      </td>
    </tr>
  )
}

/** The connected code host, and my signed-in browsers. */
export const Connections = () => {
  const sessions = usePages<Session>([], (cursor, signal) =>
    body(api.GET('/account/sessions', { params: { query: { limit: 50, cursor } }, signal })))
  return (
    <div class='stack'>
      <CodeHost />
      <MyIdentities />
      <section class='card flush' aria-label={say('browser.title')}>
        <header><h2>{say('browser.title')}</h2></header>
        <p class='small muted pad'>{sayWith('browser.alone', {
          channels: <Link href='/settings/channels'>{say('browser.channels')}</Link>,
          tokens: <Link href='/settings/tokens'>{say('browser.tokens')}</Link>,
          programs: <Link href='/settings/assistants'>{say('browser.programs')}</Link>
        })}
        </p>
        <List of={sessions} empty={<Empty icon={Monitor} title={say('browser.none')} />}>
          {(items) => <Table columns={[
            say('browser.column'), say('token.used'), say('browser.ends'), { unseen: say('common.end') }
          ]}
          >
            {items.map((session) => <Row key={session.id} session={session} onChange={sessions.reload} />)}
          </Table>}
        </List>
      </section>
    </div>
  )
}
