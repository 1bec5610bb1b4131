import { Package } from '../../parts/icons'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { StateBadge } from '../../parts/badge'
import { List } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'

const Row = ({ app }: { app: Schemas['App'] }) => <tr>
  <td><Link href={`/apps/${app.id}`}>{app.name}</Link></td>
  <td><StateBadge state={app.status} /></td>
  <td class='mono'>{app.source.repo}</td>
  <td>{app.latest_build ? `#${app.latest_build.number}` : 'never built'}</td>
  <td><Time at={app.updated_at} /></td>
</tr>

const NoApps = () => <Empty icon={Package} title='No apps yet'>
  <p>An app is a repository and the service where it runs. Ask the <Link href='/'>assistant</Link> to create one,
    such as “Create an app web from acme/web that deploys to service web”.
  </p>
</Empty>

export default function AppsPage () {
  const apps = usePages<Schemas['App']>([], (cursor, signal) =>
    body(api.GET('/deployments/apps', { params: { query: { limit: 50, cursor } }, signal })), { every: 15_000 })
  return (
    <div class='page'>
      <PageHead title='Apps'>Apps are built from a repository and deployed to a service.</PageHead>
      <section class='card flush' aria-label='Apps'>
        <List of={apps} empty={<NoApps />}>
          {(items) => <Table columns={['App', 'Status', 'Repository', 'Latest build', 'Changed']}>
            {items.map((app) => <Row key={app.id} app={app} />)}
          </Table>}
        </List>
      </section>
    </div>
  )
}
