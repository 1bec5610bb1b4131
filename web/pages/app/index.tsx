import { useSignal } from '@preact/signals'
import { Hammer } from '../../parts/icons'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { useResource } from '../../api/resource'
import { AccountMarks } from '../../parts/account-marks'
import { formatState, StateBadge } from '../../parts/badge'
import { Crumbs } from '../../parts/crumbs'
import { formatName } from '../../parts/label'
import { List } from '../../parts/list'
import { Notice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { Empty, Loaded } from '../../parts/states'
import { Table } from '../../parts/table'
import { formatDuration, Time } from '../../parts/time'
import { BuildDialog } from './build-dialog'
import { say, sayWith } from '../../texts/say'
import { translate } from '../../texts/translate'

type Build = Schemas['Build']

const Row = ({ build }: { build: Build }) => <tr>
  <td><Link href={`/apps/${build.app_id}/builds/${build.id}`}>#{build.number}</Link></td>
  <td><StateBadge state={build.status} /></td>
  <td><span class='mono'>{build.commit?.slice(0, 7) ?? build.ref}</span> {build.commit_message?.split('\n')[0]}</td>
  <td>{formatState(build.trigger)}</td>
  <td class='nowrap'><Time at={build.created_at} /></td>
  <td class='numeric nowrap'>
    {build.duration_ms === null ? '–' : formatDuration(build.duration_ms / 1_000)}
  </td>
</tr>

/** The page of what runs the app. */
const targetOf = (target: Schemas['AppTarget']): [href: string, name: string] => target.kind === 'ecs_service'
  ? [
      `/services/${encodeURIComponent(target.service_id)}`,
      say('app.runsIn.container', { service: formatName(target.service_id), name: target.container })
    ]
  : [
      `/functions/${encodeURIComponent(target.function_id)}`,
      `${formatName(target.function_id)}:${target.alias ?? '$LATEST'}`
    ]

const builderNames = {
  none: 'app.builder.none', image: 'app.builder.image', actions: 'app.builder.actions', codebuild: 'app.builder.codebuild'
} as const

const Facts = ({ app: { target, image, builder, live_build: live } }: { app: Schemas['App'] }) => {
  const [href, name] = targetOf(target)
  return (
    <dl class='facts card'>
      <dt>{say('app.runsIn')}</dt><dd><Link href={href}>{name}</Link></dd>
      <dt>{say('app.image')}</dt><dd><code>{image ?? say('app.image.own')}</code></dd>
      <dt>{say('app.builder')}</dt><dd>{say(builderNames[builder?.kind ?? 'none'])}</dd>
      <dt>{say('app.live')}</dt>
      <dd>{live ? say('app.live.build', { number: String(live.number) }) : say('app.live.none')}</dd>
    </dl>
  )
}

const NoBuilds = () => <Empty icon={Hammer} title={say('app.builds.none')}><p>{say('app.builds.words')}</p></Empty>

const Builds = ({ id, stamp }: { id: string, stamp: number }) => {
  const builds = usePages<Build>([id, stamp], (cursor, signal) => body(api.GET('/deployments/apps/{app_id}/builds',
    { params: { path: { app_id: id }, query: { limit: 20, cursor } }, signal })), { every: 5_000 })
  return (
    <section class='card flush' aria-label={say('app.builds')}>
      <List of={builds} empty={<NoBuilds />}>
        {(items) => <Table
          columns={[
            say('build.build'), say('build.status'), say('build.commit'), say('build.startedBy'), say('build.when'),
            { numeric: say('build.took') }
          ]}
        >
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
  const deploying = useSignal(false)
  const build = (
    <button type='button' class='primary' onClick={() => { deploying.value = true }}>
      <Hammer size={16} aria-hidden='true' />{say('app.build')}
    </button>
  )
  return (
    <div class='page'>
      <Crumbs to={[[say('nav.apps'), '/apps']]} />
      <Loaded of={app}>{(data) => <>
        <PageHead title={data.name} actions={build}>
          <StateBadge state={data.status} /> {data.source.repo} ·{' '}
          {data.source.default_branch ?? say('app.defaultBranch')}
          <AccountMarks of={data} />
        </PageHead>
        {deploying.value && <BuildDialog
          app={data} onDone={() => { stamp.value++ }} onClose={() => { deploying.value = false }}
        />}
        {data.refused_push && <Notice tone='warn'>
          {sayWith('app.refused', {
            commit: <code>{data.refused_push.commit.slice(0, 7)}</code>,
            reason: translate('details', data.refused_push.detail)
          })}
        </Notice>}
        {data.auto_deploy_as && <p class='small muted'>
          {say('app.auto', { branch: data.auto_deploy.branch ?? 'main', name: data.auto_deploy_as.name })}
        </p>}
        <Facts app={data} />
        <Builds id={id} stamp={stamp.value} />
      </>}
      </Loaded>
    </div>
  )
}
