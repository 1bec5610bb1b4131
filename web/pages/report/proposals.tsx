import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Badge, StateBadge } from '../../parts/badge'
import { formatSummary } from '../../parts/label'
import { Loaded } from '../../parts/states'
import { say } from '../../texts/say'

type Call = Schemas['ToolCall']

const State = ({ call: { confirmation, status, session_id: session } }: { call: Call }) => {
  switch (confirmation?.status) {
    case 'pending': return (
<><Badge
  tone='warn'
>{say('proposal.waits')}
</Badge> <Link href='/inbox'>{say('proposal.decide')}</Link>
</>
    )
    case 'closed': return <Badge>{say('proposal.lapsed')}</Badge>
    case 'approved': return (
<><StateBadge
  state={status}
/> <Link href={`/chat/${session}`}>{say('firing.session')}</Link>
</>
    )
    default: return <StateBadge state={confirmation?.status ?? status} />
  }
}

const Proposal = ({ id }: { id: string }) => {
  const call = useResource([id], (signal) => body(api.GET('/api/v1/agent/tool-calls/{tool_call_id}',
    { params: { path: { tool_call_id: id } }, signal })), { every: 10_000 })
  return (
    <li>
      <Loaded of={call}>{(data) => <div class='row'>
        <span class='grow'>{formatSummary({ summary: data.confirmation?.summary ?? '', name: data.name })}</span>
        <State call={data} />
      </div>}
      </Loaded>
    </li>
  )
}

/** The changes that the run left for approval, and what became of each. */
export const Proposals = ({ ids }: { ids: readonly string[] }) => ids.length === 0
  ? null
  : <section class='card stack' aria-label={say('proposal.title')}>
    <h2>{say('proposal.title')}</h2>
    <p class='small muted'>{say('proposal.words')}
    </p>
    <ul class='plain stack tight'>{ids.map((id) => <Proposal key={id} id={id} />)}</ul>
  </section>
