import { GitPullRequest } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { Badge, StateBadge } from '../../parts/badge'
import { Choice } from '../../parts/form'
import { List } from '../../parts/list'
import { Notice } from '../../parts/notice'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { useChoice } from '../../shell/location'
import { Checks, Reviews } from './judgement'
import { HostLink } from './host-link'
import { PullDetails } from './pull-details'
import { say, sayEach } from '../../texts/say'

type Pull = Schemas['PullRequest']

const states = {
  all: 'pull.state.all',
  open: 'pull.state.open',
  merged: 'pull.state.merged',
  closed: 'pull.state.closed'
} as const
type State = keyof typeof states
const none = {
  all: 'pull.no.words', open: 'pull.no.open', merged: 'pull.no.merged', closed: 'pull.no.closed'
} as const

const Row = ({ pull }: { pull: Pull }) => <tr>
  <td><HostLink href={pull.html_url} without={`#${pull.number}`}>#{pull.number}</HostLink></td>
  <td>
    <PullDetails pull={pull} />{' '}
    {pull.draft && <Badge>{say('pull.draft')}</Badge>} {pull.labels.map((label) => <Badge key={label}>{label}</Badge>)}
    <div class='small muted mono'>{pull.head.ref} → {pull.base.ref}</div>
  </td>
  <td><StateBadge state={pull.state} /></td>
  <td><Reviews pull={pull} /></td>
  <td><Checks pull={pull} /></td>
  <td class='nowrap'>{pull.author ?? '–'}</td>
  <td class='nowrap'><Time at={pull.updated_at} /></td>
</tr>

const NoPulls = ({ state }: { state: State }) => <Empty icon={GitPullRequest} title={say('pull.no')}>
  <p>{say(none[state])}</p>
</Empty>

/** The pull requests, with what reviewers and checks say of the open ones. */
export const Pulls = ({ id }: { id: string }) => {
  const state = useChoice<State>('state', states, 'all')
  const pulls = usePages<Pull, Schemas['PullPage']>([id, state.value], (cursor, signal) => body(api.GET(
    '/codehost/repos/{repo_id}/pulls',
    { params: { path: { repo_id: id }, query: { limit: 30, cursor, state: state.value } }, signal })))
  return (
    <>
      <header><Choice label={say('pull.state')} value={state} options={sayEach(states)} unseen /></header>
      {pulls.data?.stale && <Notice tone='warn'>{say('repository.stale')}</Notice>}
      <List of={pulls} empty={<NoPulls state={state.value} />}>
        {(items) => <Table
          columns={[
            say('pull.pull'), say('repository.what'), say('pull.state'), say('pull.reviews'), say('pull.checks'),
            say('repository.author'), say('app.changed')
          ]}
        >
          {items.map((pull) => <Row key={pull.id} pull={pull} />)}
        </Table>}
      </List>
    </>
  )
}
