import { useSignal } from '@preact/signals'
import { Package, Plus } from '../../parts/icons'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { StateBadge } from '../../parts/badge'
import { List } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { NewApp } from './new-app'
import { say } from '../../texts/say'

const Row = ({ app }: { app: Schemas['App'] }) => <tr>
  <td><Link href={`/apps/${app.id}`}>{app.name}</Link></td>
  <td><StateBadge state={app.status} /></td>
  <td class='mono'>{app.source.repo}</td>
  <td>{app.latest_build ? `#${app.latest_build.number}` : say('app.neverBuilt')}</td>
  <td><Time at={app.updated_at} /></td>
</tr>

const NoApps = ({ onCreate }: { onCreate: () => void }) => <Empty icon={Package} title={say('app.none')}>
  <p>{say('app.none.words')}</p>
  <button type='button' onClick={onCreate}>{say('app.none.choose')}</button>
</Empty>

export default function AppsPage () {
  const creating = useSignal(false)
  const apps = usePages<Schemas['App']>([], (cursor, signal) =>
    body(api.GET('/deployments/apps', { params: { query: { limit: 50, cursor } }, signal })), { every: 15_000 })
  const open = () => { creating.value = true }
  const create = (
    <button type='button' class='primary' onClick={open}><Plus size={16} aria-hidden='true' />{say('app.new')}</button>
  )
  return (
    <div class='page'>
      <PageHead title={say('nav.apps')} guide='web-client' actions={create}>{say('app.words')}</PageHead>
      <section class='card flush' aria-label={say('nav.apps')}>
        <List of={apps} empty={<NoApps onCreate={open} />}>
          {(items) => <Table
            columns={[
              say('app.app'), say('build.status'), say('app.repository'), say('app.latest'), say('app.changed')
            ]}
          >
            {items.map((app) => <Row key={app.id} app={app} />)}
          </Table>}
        </List>
      </section>
      {creating.value && <NewApp onClose={() => { creating.value = false }} onChange={apps.reload} />}
    </div>
  )
}
