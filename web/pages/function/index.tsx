import { api, body, type Schemas } from '../../api/client'
import { useLive } from '../../api/live'
import { useResource } from '../../api/resource'
import { AccountMarks } from '../../parts/account-marks'
import { StateBadge } from '../../parts/badge'
import { Crumbs } from '../../parts/crumbs'
import { LogView, type Line } from '../../parts/log-view'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { Time } from '../../parts/time'
import { Invoke } from './invoke'

type Item = Schemas['ServerlessFunction']

const Facts = ({ item }: { item: Item }) => <dl class='facts card'>
  <dt>Runtime</dt><dd>{item.runtime ?? item.package_type} · {item.architectures.join(', ')}</dd>
  <dt>Memory, timeout</dt><dd>{item.memory_mb} MB, {item.timeout_s} s</dd>
  <dt>Changed</dt><dd><Time at={item.last_modified} /></dd>
  <dt>Environment</dt><dd>{item.env_keys.length === 0 ? 'none' : <code>{item.env_keys.join(', ')}</code>}</dd>
</dl>

const lineOf = (event: Schemas['LogStreamEvent']): Line[] => event.type === 'log'
  ? [{ key: event.id, at: event.timestamp, tag: null, text: event.message.trimEnd() }]
  : []

const Logs = ({ item }: { item: Item }) => {
  const path = `/infrastructure/serverless/functions/${encodeURIComponent(item.id)}/logs?since=1h`
  const { events, state, problem, retry } = useLive<Schemas['LogStreamEvent']>(path)
  return (
    <section class='stack tight' aria-label='Logs'>
      <h2>Logs of the last hour</h2>
      <LogView
        lines={events.flatMap(lineOf)} state={state} problem={problem} retry={retry} label={`Logs of ${item.name}`}
      />
    </section>
  )
}

export default function FunctionPage ({ id }: { id: string }) {
  const item = useResource([id], (signal) => body(api.GET('/infrastructure/serverless/functions/{name}',
    { params: { path: { name: id } }, signal })))
  return (
    <div class='page'>
      <Crumbs to={[['Functions', '/functions']]} />
      <Loaded of={item}>{(data) => <>
        <PageHead title={data.name} actions={<Invoke item={data} />}>
          <StateBadge state={data.state} /> {data.region} · {data.account_name} <AccountMarks of={data} />
        </PageHead>
        <Facts item={data} />
        <Logs item={data} />
      </>}
      </Loaded>
    </div>
  )
}
