import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { AccountMarks } from '../../parts/account-marks'
import { StateBadge } from '../../parts/badge'
import { Crumbs } from '../../parts/crumbs'
import { Notice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { Tabs } from '../../parts/tabs'
import { Actions } from './actions'
import { ServiceAlarms } from './alarms'
import { Deployments } from './deployments'
import { ServiceDiagnosis } from './diagnosis'
import { Events, Failures } from './events'
import { Facts } from './facts'
import { Logs } from './logs'
import { Metrics } from './metrics'
import { Tasks } from './tasks'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Service = Schemas['ServiceDetail']
interface Props { id: string, tab?: string }

const tabs = ['deployments', 'tasks', 'events', 'failures', 'logs', 'metrics', 'why'] as const
const labels = {
  deployments: 'service.deployments',
  tasks: 'service.tasks',
  events: 'service.events',
  failures: 'service.failures',
  logs: 'service.logs',
  metrics: 'metrics.title',
  why: 'diagnosis.title'
} as const

/** Of which a person asks why. */
const unwell = new Set<Service['health']>(['degraded', 'down', 'unknown'])

interface TabProps { tab: typeof tabs[number], service: Service, onChange: () => void }

const readMetrics = (service: string) => (since: string, signal: AbortSignal) =>
  body(api.GET('/infrastructure/containers/services/{service}/metrics', { params: { path: { service }, query: { since } }, signal }))

const Measured = ({ service }: { service: string }) => <>
  <ServiceAlarms service={service} />
  <Metrics id={service} read={readMetrics(service)} />
</>

const Tab = ({ tab, service, onChange }: TabProps) => {
  switch (tab) {
    case 'deployments': return <Deployments service={service} onChange={onChange} />
    case 'tasks': return <Tasks service={service} />
    case 'events': return <Events service={service} />
    case 'failures': return <Failures service={service} />
    case 'logs': return <Logs service={service} />
    case 'why': return <ServiceDiagnosis service={service.id} />
    case 'metrics': return <Measured service={service.id} />
  }
}

const Detail = ({ service, tab, onChange }: TabProps) => {
  const here = `/services/${encodeURIComponent(service.id)}`
  const isUnwell = unwell.has(service.health)
  const shown = tabs.filter((name) => name !== 'why' || tab === 'why' || isUnwell)
  return (
    <>
      <PageHead title={service.name} actions={<Actions service={service} onChange={onChange} />}>
        <StateBadge state={service.health} /> {service.cluster} · {service.region} · {service.account_name}
        <AccountMarks of={service} />
      </PageHead>
      {service.health_reason && <Notice
        tone='warn'
        action={tab !== 'why' && isUnwell && <Link class='button small' href={`${here}/why`}>{say('diagnosis.why')}</Link>}
      >{translate('services', service.health_reason)}
      </Notice>}
      <Facts service={service} />
      <Tabs
        label={say('service.parts')} current={`${here}/${tab}`}
        tabs={shown.map((name) => [say(labels[name]), `${here}/${name}`])}
      />
      <Tab tab={tab} service={service} onChange={onChange} />
    </>
  )
}

/** One service: its tasks, deployments, events and logs. */
export default function ServicePage ({ id, tab = 'deployments' }: Props) {
  const service = useResource([id], (signal) => body(api.GET('/infrastructure/containers/services/{service}',
    { params: { path: { service: id } }, signal })), { every: 10_000 })
  const shown = tabs.find((name) => name === tab) ?? 'deployments'
  return (
    <div class='page'>
      <Crumbs to={[[say('nav.services'), '/services']]} />
      <Loaded of={service}>{(data) => <Detail service={data} tab={shown} onChange={service.reload} />}</Loaded>
    </div>
  )
}
