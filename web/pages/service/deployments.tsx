import { Rocket } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { ProposalButton } from '../../approvals/proposal-button'
import { formatState, StateBadge } from '../../parts/badge'
import { List } from '../../parts/list'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Deployment = Schemas['ServiceDeployment']
type Service = Schemas['ServiceDetail']

const revisionOf = (arn: string | null): string => arn?.split('/').at(-1) ?? '–'

/** A build's comment ends with its id, by which Steward finds it again. */
const noteOf = (comment: string | null): string => comment?.replace(/ \([0-9a-f-]{36}\)$/, '') ?? ''

const reasonOf = ({ status_reason: reason, comment }: Deployment): string =>
  reason === null ? noteOf(comment) : translate('services', reason)

/** What succeeded, and is not what runs now, can run again. */
const canRunAgain = ({ status, target_task_definition: target }: Deployment, service: Service): boolean =>
  service.deployable && status === 'succeeded' && target !== null && target !== service.task_definition?.arn

interface RowProps { deployment: Deployment, service: Service, onChange: () => void }

const Row = ({ deployment, service, onChange }: RowProps) => <tr>
  <td class='nowrap'><Time at={deployment.created_at} /></td>
  <td>{formatState(deployment.kind)}</td>
  <td><StateBadge state={deployment.status} /></td>
  <td class='mono'>{revisionOf(deployment.target_task_definition)}</td>
  <td class='small muted'>{reasonOf(deployment)}</td>
  <td>{canRunAgain(deployment, service) && <ProposalButton
    title={say('service.rollBackTo', { revision: revisionOf(deployment.target_task_definition) })}
    variant='small'
    name='deployService'
    args={() => ({ service: service.id, rollback_to: deployment.id })} onDone={onChange}
  >{say('service.rollBackTo', { revision: revisionOf(deployment.target_task_definition) })}
  </ProposalButton>}
  </td>
</tr>

/** The deployments that Steward made to the service. */
export const Deployments = ({ service, onChange }: { service: Service, onChange: () => void }) => {
  const done = () => {
    deployments.reload()
    onChange()
  }
  const deployments = usePages<Deployment>([service.id], (cursor, signal) =>
    body(api.GET('/infrastructure/containers/services/{service}/deployments',
      { params: { path: { service: service.id }, query: { limit: 20, cursor } }, signal })), { every: 10_000 })
  return (
    <section class='card flush' aria-label={say('service.deployments')}>
      <List
        of={deployments} empty={<Empty icon={Rocket} title={say('service.deployments.none')}>
        <p>{say('service.deployments.words')}</p>
        </Empty>}
      >
        {(items) => <Table
          columns={[
            say('service.when'), say('service.kind'), say('service.status'), say('service.taskDefinition'),
            say('service.note'), { unseen: say('service.rollBack') }
          ]}
        >
          {items.map((deployment) => <Row
            key={deployment.id} deployment={deployment} service={service} onChange={done}
          />)}
        </Table>}
      </List>
    </section>
  )
}
