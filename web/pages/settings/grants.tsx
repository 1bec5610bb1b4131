import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { ActionButton } from '../../parts/action-button'
import { Badge } from '../../parts/badge'
import { Zap } from '../../parts/icons'
import { formatLabel, formatName, formatOperation, formatSummary } from '../../parts/label'
import { List } from '../../parts/list'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time, TimeLeft } from '../../parts/time'
import { say, sayWith } from '../../texts/say'

type Grant = Schemas['Grant']

const State = ({ of }: { of: Grant }) => {
  const left = <span class='small'><TimeLeft until={of.expires_at} /></span>
  if (of.live) return <><Badge tone='good'>{say('away.holds')}</Badge> {left}</>
  if (of.tainted) return <Badge tone='warn'>{say('grants.tainted')}</Badge>
  return of.ended_at ? <Badge>{say('grants.revoked')}</Badge> : <Badge>{say('away.over')}</Badge>
}

const Row = ({ of, onChange }: { of: Grant, onChange: () => void }) => {
  const revoke = async () => {
    await body(api.DELETE('/api/v1/agent/grants/{grant_id}', { params: { path: { grant_id: of.id } } }))
    onChange()
  }
  return (
    <tr>
      <td>
        {sayWith('grants.on', {
          tool: formatOperation(of.tool), target: <span class='mono'>{formatName(of.target.id)}</span>
        })}
        <div class='small muted'>
          {sayWith('grants.in', {
            summary: <Link href={`/inbox/${of.confirmation_id}`}>
              {formatSummary({ summary: of.summary, name: of.tool })}
            </Link>,
            conversation: <Link href={`/chat/${of.session_id}`}>{say('grants.conversation')}</Link>
          })}
        </div>
      </td>
      <td>
        <ul class='plain small'>
          {of.bounds?.changes.map(({ label, before, after }, index) => <li key={index}>
            {formatLabel(label)}: {before ?? '–'} → {after ?? '–'}
          </li>)}
        </ul>
      </td>
      <td><State of={of} /></td>
      <td class='numeric'>{of.uses}</td>
      <td><Time at={of.created_at} /></td>
      <td>{of.live && <ActionButton
        variant='small danger' act={revoke}
        label={say('grants.revokeOne', { tool: formatOperation(of.tool), target: formatName(of.target.id) })}
      >{say('grants.revoke')}
      </ActionButton>}
      </td>
    </tr>
  )
}

/** What runs without asking for a time, by my word. */
export const Grants = () => {
  const grants = usePages<Grant>([], (cursor, signal) =>
    body(api.GET('/api/v1/agent/grants', { params: { query: { limit: 30, cursor } }, signal })), { every: 30_000 })
  return (
    <section class='card flush' aria-label={say('grants.title')}>
      <List
        of={grants} empty={<Empty icon={Zap} title={say('grants.none')}>
        <p>{say('grants.none.words')}</p>
        <Link class='button' href='/inbox'>{say('grants.toApprovals')}</Link>
        </Empty>}
      >{(items) => <Table columns={[
        say('common.what'), say('grants.covers'), say('common.state'),
        { numeric: say('grants.calls') }, say('grants.given'),
        { unseen: say('grants.revoke') }
      ]}
      >
        {items.map((grant) => <Row key={grant.id} of={grant} onChange={grants.reload} />)}
      </Table>}
      </List>
    </section>
  )
}
