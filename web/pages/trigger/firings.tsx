import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { Badge, StateBadge } from '../../parts/badge'
import { History } from '../../parts/icons'
import { List } from '../../parts/list'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { formatReason } from '../triggers/words'
import { say } from '../../texts/say'

type Firing = Schemas['Firing']

const State = ({ firing: { status, reason, run_status: run } }: { firing: Firing }) => <>
  <StateBadge state={status === 'started' ? run ?? status : status} />
  {reason && <div class='small muted'>{formatReason(reason)}</div>}
</>

/** Below the title, so that a phone shows them without scrolling sideways. */
const Came = ({ firing: { title, report_id: report, session_id: session } }: { firing: Firing }) => <div
  class='row small'
>
  {report && <Link
    href={`/reports/${report}`} aria-label={say('firing.reportOf', { title })}
  >{say('firing.report')}
  </Link>}
  {session && <Link
    href={`/chat/${session}`} aria-label={say('firing.sessionOf', { title })}
  >{say('firing.session')}
  </Link>}
</div>

const Row = ({ firing }: { firing: Firing }) => <tr>
  <td>{firing.title} {firing.resolved_at && <Badge
    tone='good'
  >{say('firing.resolved')}
  </Badge>}<Came firing={firing} />
  </td>
  <td><State firing={firing} /></td>
  <td class='nowrap'><Time at={firing.created_at} /></td>
</tr>

const NoFirings = () => <Empty icon={History} title={say('firing.none')}>
  <p>{say('firing.none.words')}</p>
</Empty>

/** What set a trigger off, and what came of it. */
export const Firings = ({ id, stamp }: { id: string, stamp: number }) => {
  const path = { trigger_id: id }
  const firings = usePages<Firing>([id, stamp], (cursor, signal) => body(
    api.GET('/api/v1/agent/triggers/{trigger_id}/firings', { params: { path, query: { limit: 20, cursor } }, signal })
  ), { every: 5_000 })
  return (
    <section class='card flush' aria-label={say('firing.title')}>
      <List of={firings} empty={<NoFirings />}>
        {(items) => <Table columns={[say('firing.one'), say('common.state'), say('common.when')]}>
          {items.map((firing) => <Row key={firing.id} firing={firing} />)}
        </Table>}
      </List>
    </section>
  )
}
