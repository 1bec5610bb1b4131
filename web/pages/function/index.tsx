import { Link } from 'wouter-preact'
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
import { toLogs } from '../logs/source'
import { Metrics } from '../service/metrics'
import { Invoke } from './invoke'
import { locale } from '../../texts/language'
import { say } from '../../texts/say'

type Item = Schemas['ServerlessFunction']

type FunctionAlias = NonNullable<Item['aliases']>[number]

const percent = (share: number): string =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 }).format(share)

/** @returns where an alias leads: to one version, or to several by weight */
const formatVersions = ({ versions }: FunctionAlias): string => versions.map(({ version, share }) => versions.length > 1
  ? say('function.version.share', { version, share: percent(share) })
  : say('function.version', { version })).join(', ')

const Aliases = ({ of: aliases }: { of: Item['aliases'] }) => {
  if (aliases === null) return <>{say('function.aliases.hidden')}</>
  if (aliases.length === 0) return <>{say('function.none.aliases')}</>
  return <>{aliases.map((alias) => <div key={alias.name}><code>{alias.name}</code> → {formatVersions(alias)}</div>)}</>
}

const Facts = ({ item }: { item: Item }) => <dl class='facts card'>
  <dt>{say('function.runtime')}</dt><dd>{item.runtime ?? item.package_type} · {item.architectures.join(', ')}</dd>
  <dt>{say('function.memoryTimeout')}</dt><dd>{item.memory_mb} MB, {item.timeout_s} s</dd>
  <dt>{say('function.changed')}</dt><dd><Time at={item.last_modified} /></dd>
  <dt>{say('function.environment')}</dt>
  <dd>{item.env_keys.length === 0 ? say('function.none.env') : <code>{item.env_keys.join(', ')}</code>}</dd>
  <dt>{say('function.aliases')}</dt><dd><Aliases of={item.aliases} /></dd>
</dl>

const lineOf = (event: Schemas['LogStreamEvent']): Line[] => event.type === 'log'
  ? [{ key: event.id, at: event.timestamp, tag: null, text: event.message.trimEnd() }]
  : []

const Logs = ({ item }: { item: Item }) => {
  const path = `/infrastructure/serverless/functions/${encodeURIComponent(item.id)}/logs?since=1h`
  const { events, state, problem, retry } = useLive<Schemas['LogStreamEvent']>(path)
  return (
    <section class='stack tight' aria-label={say('service.logs')}>
      <div class='row spread'>
        <h2>{say('function.logs')}</h2>
        <Link href={toLogs({ kind: 'function', id: item.id })}>{say('logs.open')}</Link>
      </div>
      <LogView
        lines={events.flatMap(lineOf)} state={state} problem={problem} retry={retry}
        label={say('cloud.logsOf', { name: item.name })}
      />
    </section>
  )
}

const readMetrics = (name: string) => (since: string, signal: AbortSignal) =>
  body(api.GET('/infrastructure/serverless/functions/{name}/metrics', { params: { path: { name }, query: { since } }, signal }))

export default function FunctionPage ({ id }: { id: string }) {
  const item = useResource([id], (signal) => body(api.GET('/infrastructure/serverless/functions/{name}',
    { params: { path: { name: id } }, signal })))
  return (
    <div class='page'>
      <Crumbs to={[[say('nav.services'), '/services']]} />
      <Loaded of={item}>{(data) => <>
        <PageHead title={data.name} actions={<Invoke item={data} />}>
          <StateBadge state={data.state} /> {data.region} · {data.account_name} <AccountMarks of={data} />
        </PageHead>
        <Facts item={data} />
        <Metrics id={data.id} read={readMetrics(data.id)} />
        <Logs item={data} />
      </>}
      </Loaded>
    </div>
  )
}
