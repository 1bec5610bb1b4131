import { CircleCheck, ScrollText } from 'lucide-preact'
import type { Schemas } from '../../api/client'
import { Empty } from '../../parts/states'
import { Time } from '../../parts/time'

type Service = Schemas['ServiceDetail']

export const Events = ({ service }: { service: Service }) => <section class='card flush' aria-label='Events'>
  {service.events.length === 0
    ? <Empty icon={ScrollText} title='No events'><p>ECS keeps the newest hundred of a service.</p></Empty>
    : <div class='table' tabIndex={0}>
      <table>
        <thead><tr><th scope='col'>When</th><th scope='col'>What</th></tr></thead>
        <tbody>{service.events.map(({ id, at, message }) => <tr key={id}>
          <td class='nowrap'><Time at={at} /></td><td>{message}</td>
        </tr>)}
        </tbody>
      </table>
    </div>}
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
        : <div class='table' tabIndex={0}>
          <table>
            <thead><tr><th scope='col'>Stopped</th><th scope='col'>Why</th><th scope='col'>Containers</th>
              <th scope='col' class='numeric'>Times</th>
            </tr>
            </thead>
            <tbody>{failures.map((failure) => <tr key={failure.task_id}>
              <td class='nowrap'><Time at={failure.stopped_at} /></td><td>{failure.reason}</td>
              <td class='mono'>{exits(failure)}</td><td class='numeric'>{failure.count}</td>
            </tr>)}
            </tbody>
          </table>
        </div>}
    </section>
  )
}
