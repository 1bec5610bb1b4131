import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { StateBadge } from '../../parts/badge'
import { Notice } from '../../parts/notice'
import { RepositoryChoice } from '../../parts/repository-choice'
import { Loaded } from '../../parts/states'
import { Citations } from './cited'
import { IssuesDialog } from './issues-dialog'
import type { Spec, Version } from './index'
import { say, sayWith } from '../../texts/say'

type Trace = Schemas['SpecTrace']
type Traced = Schemas['TracedRequirement']
type Tasks = Schemas['SpecDocument']['tasks']

interface OutsideProps { href: string | null | undefined, children: ComponentChildren }

/** What the code host gives no address for is named all the same. */
const Outside = ({ href, children }: OutsideProps) => href
  ? <a href={href} rel='noreferrer' target='_blank'>{children}</a>
  : <>{children}</>

/** What there is none of yet takes no room. */
const Row = ({ name, children }: { name: string, children: ComponentChildren[] }) => children.length === 0
  ? null
  : <><dt>{name}</dt><dd><ul class='plain stack tight'>{children}</ul></dd></>

/** Whether anything was found that a requirement became. */
const isTraced = ({ task_ids: ids, issues, pulls, commits, deployments }: Traced): boolean =>
  [ids, issues, pulls, commits, deployments].some(({ length }) => length > 0)

const TaskRow = ({ ids, tasks }: { ids: string[], tasks: Tasks }) => <Row name={say('spec.trace.tasks')}>
  {ids.map((id) => <li key={id}><code>{id}</code> {tasks.find((task) => task.id === id)?.title}</li>)}
</Row>

const IssueRow = ({ issues }: { issues: Traced['issues'] }) => <Row name={say('spec.trace.issues')}>
  {issues.map(({ task_id: task, repo_id: repository, number, title, state, html_url: url }) =>
    <li key={`${task} ${repository}`}>
      <Outside href={url}>{number === null ? say('spec.trace.creating') : `#${number} ${title ?? ''}`}</Outside>{' '}
      <StateBadge state={state} /> <span class='muted'>{say('spec.trace.for', { task })}</span>
    </li>)}
</Row>

const PullRow = ({ pulls }: { pulls: Traced['pulls'] }) => <Row name={say('spec.trace.pulls')}>
  {pulls.map((pull) => <li key={`${pull.repo_id} ${pull.number}`}>
    <Outside href={pull.html_url}>#{pull.number} {pull.title}</Outside> <StateBadge state={pull.state} />
  </li>)}
</Row>

const CheckRow = ({ pulls }: { pulls: Traced['pulls'] }) => <Row name={say('spec.trace.checksRow')}>
  {pulls.flatMap(({ repo_id: id, number, checks }) => checks
    ? [<li key={`${id} ${number}`}>#{number} <StateBadge state={checks.state} />{' '}
      <span class='muted'>{say('spec.trace.checks', { total: checks.total, failed: checks.failed })}</span>
    </li>]
    : [])}
</Row>

const CommitRow = ({ commits }: { commits: Traced['commits'] }) => <Row name={say('spec.trace.commits')}>
  {commits.map(({ sha, headline, html_url: url }) => <li key={sha}>
    <Outside href={url}><code>{sha.slice(0, 7)}</code> {headline}</Outside>
  </li>)}
</Row>

const DeploymentRow = ({ deployments }: Pick<Traced, 'deployments'>) => <Row name={say('spec.trace.deployed')}>
  {deployments.map((one) => <li key={one.app_id}>
    {sayWith('spec.trace.build', {
      app: <Link href={`/apps/${one.app_id}`}>{one.app}</Link>,
      environment: one.environment,
      build: String(one.build_number),
      commit: <code>{one.commit.slice(0, 7)}</code>
    })}
  </li>)}
</Row>

interface LinksProps { session: string, tasks: Tasks, of: Traced }

const Links = ({ session, tasks, of: one }: LinksProps) => <article class='card stack tight' aria-label={one.id}>
  <div class='row tight'>
    <code>{one.id}</code><h3 class='grow'>{one.title}</h3>
    <StateBadge state={one.progress === 'none' ? say('spec.trace.notBegun') : one.progress} />
  </div>
  <p>{one.statement}</p>
  <Citations session={session} of={one.citations} />
  {!isTraced(one) && <p class='small muted'>{say('spec.trace.none')}</p>}
  <dl class='facts'>
    <TaskRow ids={one.task_ids} tasks={tasks} />
    <IssueRow issues={one.issues} />
    <PullRow pulls={one.pulls} />
    <CheckRow pulls={one.pulls} />
    <CommitRow commits={one.commits} />
    <DeploymentRow deployments={one.deployments} />
  </dl>
</article>

const Looked = ({ repositories }: Pick<Trace, 'repositories'>) => repositories.length === 0
  ? <Notice>{say('spec.trace.noRepository')}</Notice>
  : <p class='small muted'>
    {say('spec.trace.looked', {
      found: repositories.map(({ pulls, commits, complete }) =>
        say(complete ? 'spec.trace.found' : 'spec.trace.older', { pulls, commits })).join('; ')
    })}
  </p>

/** What became of each requirement: each link was looked up by its id in what people wrote. */
export const TraceTab = ({ session, version }: Spec & { version: Version }) => {
  const id = session.session_id
  const repository = useSignal('')
  const creating = useSignal(false)
  const trace = useResource([id, version.version, repository.value], (signal) =>
    body(api.GET('/pse/sessions/{session_id}/trace', {
      params: { path: { session_id: id }, query: repository.value === '' ? {} : { repo_id: repository.value } }, signal
    })))
  return (
    <div class='stack'>
      <div class='row spread'><h2>{say('spec.trace.of', { version: String(version.version) })}</h2>
        {version.document.tasks.length > 0 && <button
          type='button' class='small' onClick={() => { creating.value = true }}
        >{say('spec.issues')}
        </button>}
      </div>
      <RepositoryChoice value={repository} />
      <Loaded of={trace}>{(data) => <>
        <Looked repositories={data.repositories} />
        {data.requirements.map((one) =>
          <Links key={one.id} session={id} tasks={version.document.tasks} of={one} />)}
      </>}
      </Loaded>
      {creating.value && <IssuesDialog
        session={session} onClose={() => {
          creating.value = false
          trace.reload()
        }}
      />}
    </div>
  )
}
