import { api, body } from '../../api/client'
import { useResource } from '../../api/resource'
import { Crumbs } from '../../parts/crumbs'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { Tabs } from '../../parts/tabs'
import { Activity } from './activity'
import { Commits } from './commits'
import { Pulls } from './pulls'

interface Props { id: string, tab?: string }

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
