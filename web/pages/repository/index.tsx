import { GitCommitHorizontal, GitPullRequest } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { useResource } from '../../api/resource'
import { Badge, StateBadge } from '../../parts/badge'
import { Crumbs } from '../../parts/crumbs'
import { List } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { Empty, Loaded } from '../../parts/states'
import { Table } from '../../parts/table'
import { Tabs } from '../../parts/tabs'
import { Time } from '../../parts/time'
import { Activity } from './activity'

interface Props { id: string, tab?: string }

const Commit = ({ commit }: { commit: Schemas['Commit'] }) => <tr>
  <td class='mono'>{commit.html_url
    ? <a href={commit.html_url} target='_blank' rel='noopener noreferrer'>{commit.sha.slice(0, 7)}</a>
    : commit.sha.slice(0, 7)}
  </td>
  <td>{commit.headline}</td>
  <td class='nowrap'>{commit.author.name ?? '–'}</td>
  <td class='nowrap'><Time at={commit.author.date} /></td>
</tr>

const Commits = ({ id }: { id: string }) => {
  const commits = usePages<Schemas['Commit']>([id], (cursor, signal) => body(api.GET(
    '/codehost/repos/{repo_id}/commits', { params: { path: { repo_id: id }, query: { limit: 30, cursor } }, signal })))
  return (
    <List of={commits} empty={<Empty icon={GitCommitHorizontal} title='No commits yet' />}>
      {(items) => <Table columns={['Commit', 'What', 'Author', 'When']}>
        {items.map((commit) => <Commit key={commit.sha} commit={commit} />)}
      </Table>}
    </List>
  )
}

const Pull = ({ pull }: { pull: Schemas['PullRequest'] }) => <tr>
  <td>{pull.html_url
    ? <a href={pull.html_url} target='_blank' rel='noopener noreferrer'>#{pull.number}</a>
    : `#${pull.number}`}
  </td>
  <td>{pull.title} {pull.draft && <Badge>draft</Badge>}
    <div class='small muted mono'>{pull.head.ref} → {pull.base.ref}</div>
  </td>
  <td><StateBadge state={pull.state} /></td>
  <td class='nowrap'>{pull.author ?? '–'}</td>
  <td class='nowrap'><Time at={pull.updated_at} /></td>
</tr>

const Pulls = ({ id }: { id: string }) => {
  const pulls = usePages<Schemas['PullRequest']>([id], (cursor, signal) => body(api.GET(
    '/codehost/repos/{repo_id}/pulls',
    { params: { path: { repo_id: id }, query: { limit: 30, cursor, state: 'all' } }, signal })))
  return (
    <List
      of={pulls} empty={<Empty icon={GitPullRequest} title='No pull requests'>
      <p>Pull requests opened here or on the code host appear in this list.</p>
      </Empty>}
    >
      {(items) => <Table columns={['Pull request', 'What', 'State', 'Author', 'Changed']}>
        {items.map((pull) => <Pull key={pull.id} pull={pull} />)}
      </Table>}
    </List>
  )
}

export default function RepositoryPage ({ id, tab = 'commits' }: Props) {
  const repository = useResource([id], (signal) => body(api.GET('/codehost/repos/{repo_id}',
    { params: { path: { repo_id: id } }, signal })))
  const here = `/repositories/${id}`
  return (
    <div class='page'>
      <Crumbs to={[['Repositories', '/repositories']]} />
      <Loaded of={repository}>{(data) => <>
        <PageHead title={data.full_name}>{data.description ?? `Default branch ${data.default_branch}`}</PageHead>
        <Tabs
          label='Parts of the repository' current={`${here}/${tab}`}
          tabs={[['Commits', `${here}/commits`], ['Pull requests', `${here}/pulls`], ['Activity', `${here}/activity`]]}
        />
        <section class='card flush' aria-label={tab}>
          {tab === 'pulls' && <Pulls id={id} />}
          {tab === 'activity' && <Activity id={id} />}
          {tab === 'commits' && <Commits id={id} />}
        </section>
      </>}
      </Loaded>
    </div>
  )
}
