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

const parts = { commits: 'repository.commits', pulls: 'repository.pulls', activity: 'repository.activity' } as const
const names = ['commits', 'pulls', 'activity'] as const

interface Props { id: string, tab?: string }

export default function RepositoryPage ({ id, tab = 'commits' }: Props) {
  const repository = useResource([id], (signal) => body(api.GET('/codehost/repos/{repo_id}',
    { params: { path: { repo_id: id } }, signal })))
  const here = `/repositories/${id}`
  const shown = names.find((name) => name === tab) ?? 'commits'
  return (
    <div class='page'>
      <Crumbs to={[[say('nav.repositories'), '/repositories']]} />
      <Loaded of={repository}>{(data) => <>
        <PageHead title={data.full_name}>
          {data.description ?? say('repository.branch', { branch: data.default_branch })}
        </PageHead>
        <Tabs
          label={say('repository.parts')} current={`${here}/${shown}`}
          tabs={names.map((name) => [say(parts[name]), `${here}/${name}`])}
        />
        <section class='card flush' aria-label={say(parts[shown])}>
          {shown === 'pulls' && <Pulls id={id} />}
          {shown === 'activity' && <Activity id={id} />}
          {shown === 'commits' && <Commits id={id} />}
        </section>
      </>}
      </Loaded>
    </div>
  )
}
