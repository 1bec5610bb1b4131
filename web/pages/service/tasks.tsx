import { Boxes } from '../../parts/icons'
import type { Schemas } from '../../api/client'
import { StateBadge } from '../../parts/badge'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Task = Schemas['ServiceTask']

const Row = ({ task }: { task: Task }) => <tr>
  <td class='mono'>{task.id.slice(0, 8)}</td>
  <td><StateBadge state={task.status} /> {task.health !== 'unknown' && <StateBadge state={task.health} />}</td>
  <td class='mono'>{task.task_definition}</td>
  <td class='mono nowrap'>{task.private_address ?? '–'}</td>
  <td class='nowrap'>{task.availability_zone ?? '–'}</td>
  <td class='nowrap'><Time at={task.started_at} /></td>
</tr>

/** The tasks that run or are to run, with their addresses in the network of the account. */
export const Tasks = ({ service: { tasks, notes } }: { service: Schemas['ServiceDetail'] }) => <section
  class='card flush' aria-label={say('service.tasks')}
>
  {tasks === null || tasks.length === 0
    ? <Empty icon={Boxes} title={tasks === null ? say('service.unknown') : say('service.tasks.none')}>
      <p>{tasks === null ? notes.map((note) => translate('services', note)).join(' ') : say('service.tasks.words')}</p>
    </Empty>
    : <Table
        columns={[
          say('service.task'), say('service.state'), say('service.stage.revision'), say('service.address'),
          say('service.zone'), say('service.started')
        ]}
    >
      {tasks.map((task) => <Row key={task.id} task={task} />)}
    </Table>}
</section>
