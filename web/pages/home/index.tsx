import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { api, body } from '../../api/client'
import { useResource, type Resource } from '../../api/resource'
import { Badge, StateBadge } from '../../parts/badge'
import { formatSummary } from '../../parts/label'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { Time } from '../../parts/time'
import { FirstSteps } from '../chat/first-steps'
import { byHealth, needsAttention } from '../services/order'
import { readServices } from '../services/read-services'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

const shown = 5
const every = 15_000

interface Item { key: string, href: string, title: ComponentChildren, detail: ComponentChildren }

interface Needs {
  count: number
  items: Item[]
  /** Something could not be read: without items nobody knows whether there are any. */
  partial?: boolean
}

interface SectionProps { title: string, href: string, none: string, of: Resource<Needs> }

/** What needs a person, of one kind: the first few, and the way to all. */
const Section = ({ title, href, none, of }: SectionProps) => <section class='card stack tight' aria-label={title}>
  <div class='row'>
    <h2 class='grow'>{title}</h2>
    {of.data !== undefined && of.data.count > 0 && <Badge tone='warn'>{of.data.count}</Badge>}
  </div>
  <Loaded of={of}>{({ count, items, partial }) => count === 0
    ? <p class='muted'>{partial ? say('home.partial') : none}</p>
    : <>
      <ul class='plain stack tight'>{items.map(({ key, href: to, title: name, detail }) => <li key={key}>
        <Link href={to}>{name}</Link> <span class='small muted'>{detail}</span>
      </li>)}
      </ul>
      {count > items.length && <Link class='small' href={href}>{say('home.all', { count })}</Link>}
    </>}
  </Loaded>
</section>

/** Components, since what is drawn waits for the words of the language; what a resource holds is made once. */
const Summary = (of: { name: string, summary: string }) => <>{formatSummary(of)}</>

const Reason = ({ of: { health_reason: reason, cluster } }: { of: { health_reason: string | null, cluster: string } }) =>
  <>{reason === null ? cluster : translate('services', reason)}</>

const useApprovals = () => useResource([], async (signal): Promise<Needs> => {
  const query = { view: 'to_decide', limit: 30 } as const
  const { items } = await body(api.GET('/api/v1/agent/confirmations', { params: { query }, signal }))
  return {
    count: items.length,
    items: items.slice(0, shown).map((item) => ({
      key: item.id,
      href: `/inbox/${item.id}`,
      title: <Summary name={item.name} summary={item.summary} />,
      detail: <>{item.requested_by.name}, <Time at={item.requested_at} /></>
    }))
  }
}, { every })

const useServices = () => useResource([], async (signal): Promise<Needs> => {
  const { services, partial } = await readServices(signal)
  const ill = byHealth(services.filter(needsAttention))
  return {
    count: ill.length,
    partial,
    items: ill.slice(0, shown).map((service) => ({
      key: service.id,
      href: `/services/${encodeURIComponent(service.id)}`,
      title: service.name,
      detail: <><StateBadge state={service.health} /> <Reason of={service} /></>
    }))
  }
})

const useBuilds = () => useResource([], async (signal): Promise<Needs> => {
  const { items } = await body(api.GET('/deployments/apps', { params: { query: { limit: 100 } }, signal }))
  const failed = items.flatMap(({ id, name, latest_build: build }) =>
    build?.status === 'failed' ? [{ id, name, build }] : [])
  return {
    count: failed.length,
    items: failed.slice(0, shown).map(({ id, name, build }) => ({
      key: id,
      href: `/apps/${id}/builds/${build.id}`,
      title: name,
      detail: say('home.build', { number: build.number })
    }))
  }
}, { every })

const useReports = () => useResource([], async (signal): Promise<Needs> => {
  const { items } = await body(api.GET('/api/v1/agent/reports', { params: { query: { limit: shown } }, signal }))
  const open = items.filter(({ resolved_at: resolved }) => resolved === null)
  return {
    count: open.length,
    items: open.map(({ id, title, created_at: at }) => ({
      key: id, href: `/reports/${id}`, title, detail: <Time at={at} />
    }))
  }
}, { every })

/** What needs me, over all areas. */
export default function HomePage () {
  const [approvals, services, builds, reports] = [useApprovals(), useServices(), useBuilds(), useReports()]
  return (
    <div class='page'>
      <PageHead title={say('nav.home')}>{say('home.words')}</PageHead>
      <div class='cards'>
        <Section title={say('home.approvals')} href='/inbox' none={say('home.approvals.none')} of={approvals} />
        <Section title={say('home.services')} href='/services?only=attention' none={say('home.services.none')} of={services} />
        <Section title={say('home.builds')} href='/apps' none={say('home.builds.none')} of={builds} />
        <Section title={say('home.reports')} href='/reports' none={say('home.reports.none')} of={reports} />
      </div>
      <FirstSteps />
    </div>
  )
}
