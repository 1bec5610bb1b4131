import type { Schemas } from '../../api/client'
import { StateBadge } from '../../parts/badge'
import { Boxes } from '../../parts/icons'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import type { ViewProps } from '../../results/operation'
import { say } from '../../texts/say'

type Task = Schemas['ContainerTask']

const endOf = ({ containers }: Task): string => containers.flatMap(({ name, exit_code: code, reason }) => code === null
  ? reason === null ? [] : [`${name}: ${reason}`]
  : [`${name}: ${say('service.exit', { code: String(code) })}`]).join(', ')

const Row = ({ task }: { task: Task }) => <tr>
  <td class='mono' title={task.id}>{task.id.slice(0, 8)}</td>
  <td><StateBadge state={task.status} /> {task.health !== 'unknown' && <StateBadge state={task.health} />}</td>
  <td class='mono'>{task.task_definition}</td>
  <td class='nowrap'><Time at={task.started_at} /></td>
  <td class='nowrap'><Time at={task.stopped_at} /></td>
  <td>{task.stopped_reason ?? '–'}<div class='small muted'>{endOf(task)}</div></td>
</tr>

/** The tasks, the newest first. */
export default function TasksResult ({ result: { items } }: Pick<ViewProps<Schemas['ContainerTaskPage']>, 'result'>) {
  if (items.length === 0) return <Empty icon={Boxes} title={say('service.tasks.none')} />
  const sorted = items.toSorted((a, b) => Date.parse(b.created_at ?? '') - Date.parse(a.created_at ?? ''))
  return (
    <Table
      columns={[
        say('service.task'), say('service.state'), say('service.stage.revision'), say('service.started'), say('service.stopped'),
        say('container.why')
      ]}
    >
      {sorted.map((task) => <Row key={task.id} task={task} />)}
    </Table>
  )
}
