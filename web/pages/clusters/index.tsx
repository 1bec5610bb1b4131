import { Boxes } from '../../parts/icons'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { StateBadge } from '../../parts/badge'
import { List } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { PartialNotice } from '../../parts/sources'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'

type Cluster = Schemas['Cluster']
type Service = Schemas['ContainerService']

const ServiceRow = ({ service }: { service: Service }) => <tr>
  <td><Link href={`/services/${encodeURIComponent(service.id)}`}>{service.name}</Link></td>
  <td><StateBadge state={service.health} /></td>
  <td class='numeric'>{service.running_count} / {service.desired_count}</td>
  <td class='mono'>{service.images?.map(({ image }) => image.split('/').at(-1)).join(', ') ?? '–'}</td>
  <td class='small muted'>{service.health_reason ?? ''}</td>
</tr>

const Services = ({ cluster }: { cluster: Cluster }) => {
  const services = usePages<Service, Schemas['ServicePage']>([cluster.id], (cursor, signal) =>
    body(api.GET('/infrastructure/containers/clusters/{cluster}/services', {
      params: { path: { cluster: cluster.id }, query: { limit: 50, cursor } }, signal
    })), { every: 15_000 })
  return (
    <>
      <PartialNotice of={services.data} />
      <List of={services} empty={<Empty icon={Boxes} title='No services in this cluster' />}>
        {(items) => <Table columns={['Service', 'Health', { numeric: 'Running' }, 'Image', 'Why']}>
          {items.map((service) => <ServiceRow key={service.id} service={service} />)}
        </Table>}
      </List>
    </>
  )
}

const ClusterCard = ({ cluster }: { cluster: Cluster }) => <section class='card flush' aria-label={cluster.name}>
  <header>
    <div><h2>{cluster.name}</h2><span class='small muted'>{cluster.account_name} · {cluster.region}</span></div>
    <span class='small muted'>{cluster.running_tasks} running, {cluster.pending_tasks} pending</span>
  </header>
  <Services cluster={cluster} />
</section>

const NoClusters = () => <div class='card'>
  <Empty icon={Boxes} title='No clusters'>
    <p>No account has an ECS cluster in its regions. <Link href='/accounts'>Check the accounts</Link>.</p>
  </Empty>
</div>

export default function ClustersPage () {
  const clusters = usePages<Cluster, Schemas['ClusterPage']>([], (cursor, signal) =>
    body(api.GET('/infrastructure/containers/clusters', { params: { query: { limit: 30, cursor } }, signal })))
  return (
    <div class='page'>
      <PageHead title='Containers'>Clusters and their services, in all accounts and regions.</PageHead>
      <PartialNotice of={clusters.data} />
      <List of={clusters} empty={<NoClusters />}>
        {(items) => <div class='stack'>
          {items.map((cluster) => <ClusterCard key={cluster.id} cluster={cluster} />)}
        </div>}
      </List>
    </div>
  )
}
