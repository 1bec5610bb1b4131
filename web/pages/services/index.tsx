import { Boxes } from '../../parts/icons'
import { Link } from 'wouter-preact'
import { useResource } from '../../api/resource'
import { StateBadge } from '../../parts/badge'
import { Choice } from '../../parts/form'
import { PageHead } from '../../parts/page-head'
import { PartialNotice } from '../../parts/sources'
import { Empty, Loaded } from '../../parts/states'
import { Table } from '../../parts/table'
import { useChoice, useFilters } from '../../shell/location'
import { arrange, needsAttention } from './order'
import { readRunning, type Found, type Kind, type Running } from './read-running'
import { Unread } from './unread'
import './services.css'
import { say, sayEach, sayWith } from '../../texts/say'
import { translate } from '../../texts/translate'

/** @returns an image without its registry, and with a commit or digest as people abbreviate it */
const shortImage = (image: string): string =>
  (image.split('/').at(-1) ?? image).replace(/(?<=[:@])(sha256:)?([0-9a-f]{7})[0-9a-f]{13,}$/, '$1$2')

const kindNames = { service: 'running.kind.service', function: 'running.kind.function' } as const

const Row = ({ of: { name, href, where, kind, reason, health, tasks, versions } }: { of: Running }) => <tr>
  <td><Link href={href}>{name}</Link>
    <div class='small muted'>{where.slice(0, -1).join(' · ')} · <span class='nowrap'>{where.at(-1)}</span>
    </div>
    {reason && <div class='small muted'>{translate('services', reason)}</div>}
  </td>
  <td>{say(kindNames[kind])}</td>
  <td>{health === null ? <span class='muted'>{say('running.noHealth')}</span> : <StateBadge state={health} />}</td>
  <td class='numeric'>{tasks ?? '–'}</td>
  <td class='mono' title={versions.join('\n')}>{versions.map(shortImage).join(', ') || '–'}</td>
</tr>

const Rows = ({ label, of }: { label: string, of: Running[] }) => <section
  class='card flush services' aria-label={label}
>
  <header><h2>{label}</h2><span class='small muted'>{of.length}</span></header>
  <Table
    columns={[
      say('container.service'), say('common.kind'), say('container.health'), { numeric: say('container.running') },
      say('running.version')
    ]}
  >
    {of.map((each) => <Row key={each.id} of={each} />)}
  </Table>
</section>

/** Nothing is there, unless something could not be read: then nobody knows. */
const Nothing = ({ found }: { found: Found }) => <div class='card'>
  {found.partial || found.unread.length > 0
    ? <Empty icon={Boxes} title={say('running.unknown')}><p>{say('running.unknown.words')}</p></Empty>
    : <Empty icon={Boxes} title={say('running.none')}>
      <p>{sayWith('running.none.words', { link: <Link href='/accounts'>{say('cloud.checkAccounts')}</Link> })}</p>
    </Empty>}
</div>

const Unfound = ({ q }: { q: string }) => <div class='card'>
  <Empty icon={Boxes} title={say('container.unfound')}>
    <p>{q === '' ? say('running.unfit.words') : say('running.unfound.words', { words: q })}</p>
  </Empty>
</div>

const Sums = ({ of: { clusters, running } }: { of: Found }) => {
  const count = (kind: Kind): number => running.filter((each) => each.kind === kind).length
  return (
    <p class='small muted' role='status'>
      {say('running.sums', {
        services: say('container.services.count', { count: count('service') }),
        clusters: say('container.clusters.count', { count: clusters }),
        functions: say('running.functions.count', { count: count('function') }),
        count: running.filter(needsAttention).length
      })}
    </p>
  )
}

const states = { all: '', attention: '' } as const

interface ShownProps { found: Found, q: string, kind: keyof typeof kinds, only: keyof typeof states }

const Shown = ({ found, q, kind, only }: ShownProps) => {
  const listed = arrange(found.running, q).filter((each) => kind === 'all' || each.kind === kind)
  const bad = listed.filter(needsAttention)
  const others = only === 'attention' ? [] : listed.filter((each) => !needsAttention(each))
  if (found.running.length === 0) return <Nothing found={found} />
  if (bad.length + others.length === 0) return <Unfound q={q} />
  return (
    <>
      <Sums of={found} />
      {bad.length > 0 && <Rows label={say('container.attention')} of={bad} />}
      {others.length > 0 && <Rows label={bad.length > 0 ? say('container.others') : say('nav.services')} of={others} />}
    </>
  )
}

const kinds = {
  all: 'running.kinds.all', service: 'running.kinds.services', function: 'running.kinds.functions'
} as const

/** All services and functions over clusters, accounts and regions, the unhealthy ones first. */
export default function ServicesPage () {
  const { q } = useFilters(['q'])
  const only = useChoice<keyof typeof states>('only', states, 'all')
  const kind = useChoice<keyof typeof kinds>('kind', kinds, 'all')
  const found = useResource([], readRunning, { every: 15_000 })
  return (
    <div class='page'>
      <PageHead title={say('nav.services')} guide='web-client'>{say('running.words')}</PageHead>
      <div class='filters'>
        <label class='field grow'><span>{say('container.find')}</span>
          <input
            type='search' placeholder={say('running.find.hint')} value={q.value}
            onInput={(event) => { q.value = event.currentTarget.value }}
          />
        </label>
        <Choice label={say('common.kind')} value={kind} options={sayEach(kinds)} />
        <label class='check'>
          <input
            type='checkbox' checked={only.value === 'attention'}
            onChange={({ currentTarget }) => { only.value = currentTarget.checked ? 'attention' : 'all' }}
          />{say('container.only')}
        </label>
      </div>
      <Unread of={found} />
      <PartialNotice of={found.data} />
      <Loaded of={found}>
        {(data) => <Shown found={data} q={q.value} kind={kind.value} only={only.value} />}
      </Loaded>
    </div>
  )
}
