import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { StateBadge } from '../../parts/badge'
import { formatName } from '../../parts/label'
import { Pipeline, type Stage } from '../../parts/pipeline'
import { Time } from '../../parts/time'
import { Preview } from '../../approvals/preview'
import type { ViewProps } from '../../results/operation'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Deployment = Schemas['ServiceDeployment']
type Shown = Deployment | Schemas['ServiceDeploymentPlan']

const order = ['queued', 'registering', 'updating', 'in_progress'] as const
const names = {
  queued: 'service.stage.queued',
  registering: 'service.stage.revision',
  updating: 'container.service',
  in_progress: 'service.tasks'
} as const

/** @returns the stages; of a deployment that did not succeed, the last that it reached is the one that failed */
const stagesOf = ({ status, progress, started_at: started }: Deployment): Stage[] => {
  const at = order.findIndex((stage) => stage === status)
  const succeeded = status === 'succeeded'
  const reached = at >= 0 ? at : started === null ? 0 : order.length - 1
  const tasks = progress ? say('service.running', { running: progress.running, desired: progress.desired }) : undefined
  const stages = order.map((stage, index): Stage => ({
    name: say(names[stage]),
    state: succeeded || index < reached ? 'done' : index > reached ? 'next' : at >= 0 ? 'running' : 'failed',
    note: stage === 'in_progress' ? tasks : undefined
  }))
  return [...stages, { name: say('service.stage.done'), state: succeeded ? 'done' : 'next' }]
}

const show = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value)

/** Follows it until it has ended. */
const Live = ({ deployment: first }: { deployment: Deployment }) => {
  const path = { service: first.service_id, deployment_id: first.id }
  const { data: now = first } = useResource([first.id], (signal) =>
    body(api.GET('/infrastructure/containers/services/{service}/deployments/{deployment_id}',
      { params: { path }, signal })), { every: 3_000, first, until: ({ finished_at: at }) => at !== null })
  return (
    <section class='result-card' aria-label={say('service.deployment')}>
      <div class='row spread'>
        <span class='row tight'><StateBadge state={now.status} />
          <Link href={`/services/${encodeURIComponent(now.service_id)}`}>{formatName(now.service_id)}</Link>
        </span>
        <span class='small muted'><Time at={now.finished_at ?? now.created_at} /></span>
      </div>
      <Pipeline label={say('service.stages')} stages={stagesOf(now)} />
      {now.status_reason && <p class='small'>{translate('services', now.status_reason)}</p>}
      <Changes of={now} />
    </section>
  )
}

const Changes = ({ of: { changes } }: { of: Shown }) => <Preview
  rows={changes.map(({ path, before, after }) => ({ label: path, before: show(before), after: show(after) }))}
/>

/** A deployment as it goes on, or what one would change. */
export default function DeploymentResult ({ result }: ViewProps<Shown>) {
  if ('id' in result) return <Live deployment={result} />
  return <div class='stack tight'><p>{say('service.dryRun')}</p><Changes of={result} /></div>
}
