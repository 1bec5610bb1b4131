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
import './clusters.css'
import { say, sayWith } from '../../texts/say'
import { translate } from '../../texts/translate'

/** @returns an image without its registry, and with a commit or digest as people abbreviate it */
const shortImage = (image: string): string =>
  (image.split('/').at(-1) ?? image).replace(/(?<=[:@])(sha256:)?([0-9a-f]{7})[0-9a-f]{13,}$/, '$1$2')

const Row = ({ service }: { service: Service }) => <tr>
  <td><Link href={`/services/${encodeURIComponent(service.id)}`}>{service.name}</Link>
    <div class='small muted'>{service.cluster} · {service.account_name} · <span class='nowrap'>{service.region}</span>
    </div>
    {service.health_reason && <div class='small muted'>{translate('services', service.health_reason)}</div>}
  </td>
  <td><StateBadge state={service.health} /></td>
  <td class='numeric'>{service.running_count} / {service.desired_count}</td>
  <td class='mono' title={service.images?.map(({ image }) => image).join('\n')}>
    {service.images?.map(({ image }) => shortImage(image)).join(', ') ?? '–'}
  </td>
</tr>

const Services = ({ label, services }: { label: string, services: Service[] }) => <section
  class='card flush services' aria-label={label}
>
  <header><h2>{label}</h2><span class='small muted'>{services.length}</span></header>
  <Table
    columns={[
      say('container.service'), say('container.health'), { numeric: say('container.running') }, say('container.image')
    ]}
  >
    {services.map((service) => <Row key={service.id} service={service} />)}
  </Table>
</section>

const NoClusters = () => <div class='card'>
  <Empty icon={Boxes} title={say('container.noClusters')}>
    <p>{sayWith('container.noClusters.words', { link: <Link href='/accounts'>{say('cloud.checkAccounts')}</Link> })}</p>
  </Empty>
</div>

const NothingFound = ({ q }: { q: string }) => <div class='card'>
  <Empty icon={Boxes} title={q === '' ? say('container.noServices') : say('container.unfound')}>
    <p>{q === '' ? say('container.noServices.words') : say('container.unfound.words', { words: q })}</p>
  </Empty>
</div>

const Sums = ({ of: { clusters, services } }: { of: Found }) => <p class='small muted' role='status'>
  {say('container.sums', {
    services: say('container.services.count', { count: services.length }),
    clusters: say('container.clusters.count', { count: clusters.length }),
    count: services.filter(needsAttention).length
  })}
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
      {bad.length > 0 && <Services label={say('container.attention')} services={bad} />}
      {others.length > 0 && <Services
        label={bad.length > 0 ? say('container.others') : say('container.services')} services={others}
      />}
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
      <PageHead title={say('nav.containers')} guide='web-client'>{say('container.words')}</PageHead>
      <div class='filters'>
        <label class='field grow'><span>{say('container.find')}</span>
          <input
            type='search' placeholder={say('container.find.hint')} value={q.value}
            onInput={(event) => { q.value = event.currentTarget.value }}
          />
        </label>
        <label class='check'>
          <input
            type='checkbox' checked={only.value === 'attention'}
            onChange={({ currentTarget }) => { only.value = currentTarget.checked ? 'attention' : 'all' }}
          />{say('container.only')}
        </label>
      </div>
      <PartialNotice of={found.data} />
      <Loaded of={found}>{(data) => <Shown found={data} q={q.value} only={only.value} />}</Loaded>
    </div>
  )
}
