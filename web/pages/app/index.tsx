import { useSignal } from '@preact/signals'
import { Hammer } from 'lucide-preact'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { useResource } from '../../api/resource'
import { useAction } from '../../api/action'
import { StateBadge } from '../../parts/badge'
import { Crumbs } from '../../parts/crumbs'
import { List } from '../../parts/list'
import { ProblemNotice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { Empty, Loaded } from '../../parts/states'
import { Table } from '../../parts/table'
import { sayDuration, Time } from '../../parts/time'

type Build = Schemas['Build']

const Row = ({ build }: { build: Build }) => <tr>
  <td><Link href={`/apps/${build.app_id}/builds/${build.id}`}>#{build.number}</Link></td>
  <td><StateBadge state={build.status} /></td>
  <td><span class='mono'>{build.commit?.slice(0, 7) ?? build.ref}</span> {build.commit_message?.split('\n')[0]}</td>
  <td>{build.trigger}</td>
  <td class='nowrap'><Time at={build.created_at} /></td>
  <td class='numeric nowrap'>{build.duration_ms === null ? '–' : sayDuration(build.duration_ms / 1_000)}</td>
</tr>

const Builds = ({ id, stamp }: { id: string, stamp: number }) => {
  const builds = usePages<Build>([id, stamp], (cursor, signal) => body(api.GET('/deployments/apps/{app_id}/builds',
    { params: { path: { app_id: id }, query: { limit: 20, cursor } }, signal })), { every: 5_000 })
  return (
    <section class='card flush' aria-label='Builds'>
      <List of={builds} empty={<Empty icon={Hammer} title='Not built yet'><p>Start the first build above.</p></Empty>}>
        {(items) => <Table columns={['Build', 'Status', 'Commit', 'Started by', 'When', { numeric: 'Took' }]}>
          {items.map((build) => <Row key={build.id} build={build} />)}
        </Table>}
      </List>
    </section>
  )
}

export default function AppPage ({ id }: { id: string }) {
  const params = { path: { app_id: id } }
  const app = useResource([id], (signal) => body(api.GET('/deployments/apps/{app_id}', { params, signal })))
  const stamp = useSignal(0)
  const { run, busy, problem } = useAction(async () => {
    await body(api.POST('/deployments/apps/{app_id}/deploy', { params, body: {} }))
    stamp.value++
  })
  const build = (
    <button type='button' class='primary' disabled={busy} onClick={() => { void run() }}>
      <Hammer size={16} aria-hidden='true' />Build and deploy
    </button>
  )
  return (
    <div class='page'>
      <Crumbs to={[['Apps', '/apps']]} />
      <Loaded of={app}>{(data) => <>
        <PageHead title={data.name} actions={build}>
          <StateBadge state={data.status} /> {data.source.repo} · {data.source.default_branch ?? 'default branch'}
        </PageHead>
        {problem && <ProblemNotice problem={problem} />}
        <Builds id={id} stamp={stamp.value} />
      </>}
      </Loaded>
    </div>
  )
}
