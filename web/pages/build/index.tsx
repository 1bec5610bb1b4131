import { api, body, type Schemas } from '../../api/client'
import { useLive } from '../../api/live'
import { useResource } from '../../api/resource'
import { ProposalButton } from '../../approvals/proposal-button'
import { Badge, formatWord, StateBadge, toneOf } from '../../parts/badge'
import { Crumbs } from '../../parts/crumbs'
import { LogView, type Line } from '../../parts/log-view'
import { Notice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { Rollback } from './rollback'

type Build = Schemas['Build']
type Event = Schemas['BuildEvent']
interface Props { app: string, id: string }

const live = new Set<Build['status']>(['queued', 'running', 'cancelling'])

const lineOf = (event: Event): Line[] => event.type === 'log'
  ? [{ key: String(event.seq), at: event.at, tag: event.step, text: event.text, bad: event.stream === 'stderr' }]
  : []

const Steps = ({ steps }: { steps: Schemas['BuildStep'][] }) => <ol class='plain row tight' aria-label='Steps'>
  {steps.map((step) => <li key={step.name}>
    <Badge tone={toneOf(step.status)}>{step.name}: {formatWord(step.status)}</Badge>
  </li>)}
</ol>

const Cancel = ({ build, onChange }: { build: Build, onChange: () => void }) => <ProposalButton
  variant='danger' name='cancelBuild' args={() => ({ app_id: build.app_id, build_id: build.id })}
  title={`Cancel build #${build.number}`} onDone={onChange}
>Cancel
</ProposalButton>

/** One build: its steps and its live log. */
export default function BuildPage ({ app, id }: Props) {
  const params = { path: { app_id: app, build_id: id } }
  const build = useResource([id], (signal) => body(api.GET('/deployments/apps/{app_id}/builds/{build_id}',
    { params, signal })), { every: 3_000 })
  const { events, state, problem } = useLive<Event>(`/deployments/apps/${app}/builds/${id}/logs`)
  return (
    <div class='page'>
      <Crumbs to={[['Apps', '/apps'], ['App', `/apps/${app}`]]} />
      <Loaded of={build}>{(data) => <>
        <PageHead
          title={`Build #${data.number}`}
          actions={<>
            {live.has(data.status) && <Cancel build={data} onChange={build.reload} />}
            {data.status === 'succeeded' && <Rollback build={data} />}
          </>}
        ><StateBadge state={data.status} /> {data.ref} · {data.commit_message?.split('\n')[0] ?? data.trigger}
        </PageHead>
        {data.status_reason && <Notice tone='warn'>{data.status_reason}</Notice>}
        <Steps steps={data.steps} />
        <LogView lines={events.flatMap(lineOf)} state={state} problem={problem} label={`Log of build ${data.number}`} />
      </>}
      </Loaded>
    </div>
  )
}
