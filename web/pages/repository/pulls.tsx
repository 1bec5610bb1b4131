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

type Pull = Schemas['PullRequest']

const states = { all: 'All', open: 'Open', merged: 'Merged', closed: 'Closed without a merge' } as const
type State = keyof typeof states

const Row = ({ pull }: { pull: Pull }) => <tr>
  <td><HostLink href={pull.html_url} without={`#${pull.number}`}>#{pull.number}</HostLink></td>
  <td>
    {pull.body_excerpt
      ? <details><summary>{pull.title}</summary><div class='written small'>{pull.body_excerpt}</div></details>
      : pull.title}{' '}
    {pull.draft && <Badge>draft</Badge>} {pull.labels.map((label) => <Badge key={label}>{label}</Badge>)}
    <div class='small muted mono'>{pull.head.ref} → {pull.base.ref}</div>
  </td>
  <td><StateBadge state={pull.state} /></td>
  <td><Reviews pull={pull} /></td>
  <td><Checks pull={pull} /></td>
  <td class='nowrap'>{pull.author ?? '–'}</td>
  <td class='nowrap'><Time at={pull.updated_at} /></td>
</tr>

const NoPulls = ({ state }: { state: State }) => <Empty icon={GitPullRequest} title='No pull requests'>
  <p>{state === 'all'
    ? 'Pull requests opened here or on the code host appear in this list.'
    : `None is ${states[state].toLowerCase()}.`}
  </p>
</Empty>

/** The pull requests, with what reviewers and checks say of the open ones. */
export const Pulls = ({ id }: { id: string }) => {
  const state = useChoice<State>('state', states, 'all')
  const pulls = usePages<Pull, Schemas['PullPage']>([id, state.value], (cursor, signal) => body(api.GET(
    '/codehost/repos/{repo_id}/pulls',
    { params: { path: { repo_id: id }, query: { limit: 30, cursor, state: state.value } }, signal })))
  return (
    <>
      <header><Choice label='State' value={state} options={states} unseen /></header>
      {pulls.data?.stale && <Notice tone='warn'>The code host did not answer recently. This may be outdated.</Notice>}
      <List of={pulls} empty={<NoPulls state={state.value} />}>
        {(items) => <Table columns={['Pull request', 'What', 'State', 'Reviews', 'Checks', 'Author', 'Changed']}>
          {items.map((pull) => <Row key={pull.id} pull={pull} />)}
        </Table>}
      </List>
    </>
  )
}
