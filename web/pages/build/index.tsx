import { api, body, type Schemas } from '../../api/client'
import { useLive } from '../../api/live'
import { useResource } from '../../api/resource'
import { ProposalButton } from '../../approvals/proposal-button'
import { formatState, StateBadge } from '../../parts/badge'
import { Crumbs } from '../../parts/crumbs'
import type { Line } from '../../parts/log-lines'
import { Notice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { Pipeline } from '../../parts/pipeline'
import { Loaded } from '../../parts/states'
import { Comparison } from './comparison'
import { Rollback } from './rollback'
import { stagesOf } from './stages'
import { StepLogs } from './step-logs'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Build = Schemas['Build']
type Event = Schemas['BuildEvent']
interface Props { app: string, id: string }

const live = new Set<Build['status']>(['queued', 'running', 'cancelling'])

const lineOf = (event: Event): Line[] => event.type === 'log'
  ? [{
      key: String(event.seq),
      at: event.at,
      tag: event.step,
      text: translate('logs', event.text),
      bad: event.stream === 'stderr'
    }]
  : []

const Cancel = ({ build, onChange }: { build: Build, onChange: () => void }) => <ProposalButton
  variant='danger' name='cancelBuild' args={() => ({ app_id: build.app_id, build_id: build.id })}
  title={say('build.cancel.of', { number: String(build.number) })} onDone={onChange}
>{say('proposal.cancel')}
</ProposalButton>

/** One build: its steps with their live logs, and what differs from another. */
export default function BuildPage ({ app, id }: Props) {
  const params = { path: { app_id: app, build_id: id } }
  const build = useResource([id], (signal) => body(api.GET('/deployments/apps/{app_id}/builds/{build_id}',
    { params, signal })), { every: 3_000 })
  const named = useResource([app], (signal) => body(api.GET('/deployments/apps/{app_id}',
    { params: { path: { app_id: app } }, signal })))
  const log = useLive<Event>(`/deployments/apps/${app}/builds/${id}/logs`)
  return (
    <div class='page'>
      <Crumbs to={[[say('nav.apps'), '/apps'], [named.data?.name ?? say('app.app'), `/apps/${app}`]]} />
      <Loaded of={build}>{(data) => <>
        <PageHead
          title={say('build.of', { number: String(data.number) })}
          actions={<>
            {live.has(data.status) && <Cancel build={data} onChange={build.reload} />}
            {data.status === 'succeeded' && <Rollback build={data} />}
          </>}
        ><StateBadge state={data.status} /> {data.ref} ·{' '}
          {data.commit_message?.split('\n')[0] ?? formatState(data.trigger)}
        </PageHead>
        {data.run?.url && <p class='small'>
          <a href={data.run.url} rel='noreferrer' target='_blank'>{say('build.run', { id: data.run.id ?? '' })}</a>
        </p>}
        {data.status_reason && <Notice tone='warn'>{translate('logs', data.status_reason)}</Notice>}
        <section class='card'><Pipeline label={say('build.steps')} stages={stagesOf(data)} /></section>
        <StepLogs steps={data.steps} lines={log.events.flatMap(lineOf)} live={log} />
        <Comparison build={data} />
      </>}
      </Loaded>
    </div>
  )
}
