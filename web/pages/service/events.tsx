import { CircleCheck, ScrollText } from '../../parts/icons'
import type { Schemas } from '../../api/client'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'

type Service = Schemas['ServiceDetail']

export const Events = ({ service }: { service: Service }) => <section class='card flush' aria-label='Events'>
  {service.events.length === 0
    ? <Empty icon={ScrollText} title='No events'><p>ECS keeps the newest hundred of a service.</p></Empty>
    : <Table columns={['When', 'What']}>
      {service.events.map(({ id, at, message }) => <tr key={id}>
          <td class='nowrap'><Time at={at} /></td><td>{message}</td>
      </tr>)}
    </Table>}
</section>

const exits = (failure: Schemas['TaskFailure']) => failure.containers
  .map(({ name, exit_code: code, reason }) => `${name}: ${code === null ? reason ?? 'no exit code' : `exit ${code}`}`)
  .join(', ')

export const Failures = ({ service }: { service: Service }) => {
  const failures: Schemas['TaskFailure'][] = service.recent_failures ?? []
  return (
    <section class='card flush' aria-label='Failures'>
      {failures.length === 0
        ? <Empty icon={CircleCheck} title={service.recent_failures ? 'No task failed lately' : 'Not known'}>
          <p>{service.recent_failures ? 'ECS forgets stopped tasks after an hour.' : service.notes.join(' ')}</p>
        </Empty>
        : <Table columns={['Stopped', 'Why', 'Containers', { numeric: 'Times' }]}>
          {failures.map((failure) => <tr key={failure.task_id}>
              <td class='nowrap'><Time at={failure.stopped_at} /></td><td>{failure.reason}</td>
              <td class='mono'>{exits(failure)}</td><td class='numeric'>{failure.count}</td>
          </tr>)}
        </Table>}
    </section>
  )
}
