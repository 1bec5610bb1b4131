import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { ActionButton } from '../../parts/action-button'
import { Badge } from '../../parts/badge'
import { Zap } from '../../parts/icons'
import { formatLabel, formatName } from '../../parts/label'
import { List } from '../../parts/list'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time, TimeLeft } from '../../parts/time'

type Grant = Schemas['Grant']

const State = ({ of }: { of: Grant }) => {
  const left = <span class='small'><TimeLeft until={of.expires_at} /></span>
  if (of.live) return <><Badge tone='good'>holds</Badge> {left}</>
  if (of.tainted) return <Badge tone='warn'>ended by foreign text</Badge>
  return of.ended_at ? <Badge>revoked</Badge> : <Badge>over</Badge>
}

const Row = ({ of, onChange }: { of: Grant, onChange: () => void }) => {
  const revoke = async () => {
    await body(api.DELETE('/api/v1/agent/grants/{grant_id}', { params: { path: { grant_id: of.id } } }))
    onChange()
  }
  return (
    <tr>
      <td>{formatLabel(of.tool)} on <span class='mono'>{formatName(of.target.id)}</span>
        <div class='small muted'>
          <Link href={`/inbox/${of.confirmation_id}`}>{of.summary}</Link> in{' '}
          <Link href={`/chat/${of.session_id}`}>this conversation</Link>
        </div>
      </td>
      <td><State of={of} /></td>
      <td class='numeric'>{of.uses}</td>
      <td><Time at={of.created_at} /></td>
      <td>{of.live && <ActionButton
        variant='small danger' label={`Revoke ${formatLabel(of.tool)} on ${formatName(of.target.id)}`} act={revoke}
      >Revoke
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
    <section class='card flush' aria-label='Grants'>
      <List
        of={grants} empty={<Empty icon={Zap} title='No grants'>
        <p>Right after you approve a write in a conversation, its card offers to allow the same for 30 minutes.</p>
        <Link class='button' href='/inbox'>To the inbox</Link>
        </Empty>}
      >{(items) => <Table columns={['What', 'State', { numeric: 'Calls' }, 'Given', { unseen: 'Revoke' }]}>
        {items.map((grant) => <Row key={grant.id} of={grant} onChange={grants.reload} />)}
      </Table>}
      </List>
    </section>
  )
}
