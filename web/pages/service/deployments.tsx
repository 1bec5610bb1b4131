import { Rocket } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { StateBadge } from '../../parts/badge'
import { List } from '../../parts/list'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'

type Deployment = Schemas['ServiceDeployment']

const Row = ({ deployment }: { deployment: Deployment }) => <tr>
  <td class='nowrap'><Time at={deployment.created_at} /></td>
  <td>{deployment.kind}</td>
  <td><StateBadge state={deployment.status} /></td>
  <td class='mono'>{deployment.target_task_definition?.split('/').at(-1) ?? '–'}</td>
  <td class='small muted'>{deployment.status_reason ?? deployment.comment ?? ''}</td>
</tr>

/** The deployments that Steward made to the service. */
export const Deployments = ({ service }: { service: Schemas['ServiceDetail'] }) => {
  const deployments = usePages<Deployment>([service.id], (cursor, signal) =>
    body(api.GET('/infrastructure/containers/services/{service}/deployments',
      { params: { path: { service: service.id }, query: { limit: 20, cursor } }, signal })), { every: 10_000 })
  return (
    <section class='card flush' aria-label='Deployments'>
      <List
        of={deployments} empty={<Empty icon={Rocket} title='Steward has deployed nothing yet'>
        <p>Deploy an image above, or ask the assistant to.</p>
        </Empty>}
      >
        {(items) => <Table columns={['When', 'Kind', 'Status', 'Task definition', 'Note']}>
          {items.map((deployment) => <Row key={deployment.id} deployment={deployment} />)}
        </Table>}
      </List>
    </section>
  )
}
