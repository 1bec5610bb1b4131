import { api, body } from '../../api/client'
import { useResource } from '../../api/resource'
import { Crumbs } from '../../parts/crumbs'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { Tabs } from '../../parts/tabs'
import { Activity } from './activity'
import { Commits } from './commits'
import { Pulls } from './pulls'
import { say } from '../../texts/say'

interface Props { id: string, tab?: string }

export default function RepositoryPage ({ id, tab = 'commits' }: Props) {
  const repository = useResource([id], (signal) => body(api.GET('/codehost/repos/{repo_id}',
    { params: { path: { repo_id: id } }, signal })))
  const here = `/repositories/${id}`
  return (
    <div class='page'>
      <Crumbs to={[[say('nav.repositories'), '/repositories']]} />
      <Loaded of={repository}>{(data) => <>
        <PageHead title={data.full_name}>
          {data.description ?? say('repository.branch', { branch: data.default_branch })}
        </PageHead>
        <Tabs
          label={say('repository.parts')} current={`${here}/${tab}`}
          tabs={[
            [say('repository.commits'), `${here}/commits`], [say('repository.pulls'), `${here}/pulls`],
            [say('repository.activity'), `${here}/activity`]
          ]}
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
