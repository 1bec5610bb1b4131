import { Boxes } from '../../parts/icons'
import { Link } from 'wouter-preact'
import { useResource } from '../../api/resource'
import { StateBadge } from '../../parts/badge'
import { PageHead } from '../../parts/page-head'
import { PartialNotice } from '../../parts/sources'
import { Empty, Loaded } from '../../parts/states'
import { Table } from '../../parts/table'
import { useChoice, useFilters } from '../../shell/location'
import { arrange, needsAttention } from './order'
import { readServices, type Found, type Service } from './read-services'

const Row = ({ service }: { service: Service }) => <tr>
  <td><Link href={`/services/${encodeURIComponent(service.id)}`}>{service.name}</Link>
    <div class='small muted'>{service.cluster} · {service.account_name} · {service.region}</div>
  </td>
  <td><StateBadge state={service.health} /></td>
  <td class='numeric'>{service.running_count} / {service.desired_count}</td>
  <td class='mono'>{service.images?.map(({ image }) => image.split('/').at(-1)).join(', ') ?? '–'}</td>
  <td class='small muted'>{service.health_reason ?? ''}</td>
</tr>

const Services = ({ label, services }: { label: string, services: Service[] }) => <section
  class='card flush' aria-label={label}
>
  <header><h2>{label}</h2><span class='small muted'>{services.length}</span></header>
  <Table columns={['Service', 'Health', { numeric: 'Running' }, 'Image', 'Why']}>
    {services.map((service) => <Row key={service.id} service={service} />)}
  </Table>
</section>

const NoClusters = () => <div class='card'>
  <Empty icon={Boxes} title='No clusters'>
    <p>No account has an ECS cluster in its regions. <Link href='/accounts'>Check the accounts</Link>.</p>
  </Empty>
</div>

const NothingFound = ({ q }: { q: string }) => <div class='card'>
  <Empty icon={Boxes} title={q === '' ? 'No services' : 'Nothing found'}>
    <p>{q === '' ? 'The clusters have none.' : `No service has “${q}” in its name, cluster, account or image.`}</p>
  </Empty>
</div>

const Sums = ({ of: { clusters, services } }: { of: Found }) => <p class='small muted' role='status'>
  {services.length} {services.length === 1 ? 'service' : 'services'} in {clusters.length}{' '}
  {clusters.length === 1 ? 'cluster' : 'clusters'}, {services.filter(needsAttention).length} need attention
</p>

const states = { all: '', attention: '' } as const

const Shown = ({ found, q, only }: { found: Found, q: string, only: keyof typeof states }) => {
  const services = arrange(found.services, q)
  const bad = services.filter(needsAttention)
  const others = only === 'attention' ? [] : services.filter((service) => !needsAttention(service))
  if (found.clusters.length === 0) return <NoClusters />
  if (bad.length + others.length === 0) return <NothingFound q={q} />
  return (
    <>
      <Sums of={found} />
      {bad.length > 0 && <Services label='Needs attention' services={bad} />}
      {others.length > 0 && <Services label={bad.length > 0 ? 'All others' : 'Services'} services={others} />}
    </>
  )
}

/** All services over clusters, accounts and regions, the unhealthy ones first. */
export default function ClustersPage () {
  const { q } = useFilters(['q'])
  const only = useChoice<keyof typeof states>('only', states, 'all')
  const found = useResource([], readServices, { every: 15_000 })
  return (
    <div class='page'>
      <PageHead title='Containers'>The services of all clusters, in all accounts and regions.</PageHead>
      <div class='filters'>
        <label class='field grow'><span>Find a service</span>
          <input
            type='search' placeholder='Name, cluster, account, region or image' value={q.value}
            onInput={(event) => { q.value = event.currentTarget.value }}
          />
        </label>
        <label class='check'>
          <input
            type='checkbox' checked={only.value === 'attention'}
            onChange={({ currentTarget }) => { only.value = currentTarget.checked ? 'attention' : 'all' }}
          />Only what needs attention
        </label>
      </div>
      <PartialNotice of={found.data} />
      <Loaded of={found}>{(data) => <Shown found={data} q={q.value} only={only.value} />}</Loaded>
    </div>
  )
}
