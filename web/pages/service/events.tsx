import { CircleCheck, ScrollText } from '../../parts/icons'
import type { Schemas } from '../../api/client'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Service = Schemas['ServiceDetail']

export const Events = ({ service }: { service: Service }) => <section
  class='card flush' aria-label={say('service.events')}
>
  {service.events.length === 0
    ? <Empty icon={ScrollText} title={say('service.events.none')}><p>{say('service.events.words')}</p></Empty>
    : <Table columns={[say('service.when'), say('service.what')]}>
      {service.events.map(({ id, at, message }) => <tr key={id}>
          <td class='nowrap'><Time at={at} /></td><td>{message}</td>
      </tr>)}
    </Table>}
</section>

const exits = (failure: Schemas['TaskFailure']) => failure.containers
  .map(({ name, exit_code: code, reason }) =>
    `${name}: ${code === null ? reason ?? say('service.noExitCode') : say('service.exit', { code: String(code) })}`)
  .join(', ')

export const Failures = ({ service }: { service: Service }) => {
  const failures: Schemas['TaskFailure'][] = service.recent_failures ?? []
  return (
    <section class='card flush' aria-label={say('service.failures')}>
      {failures.length === 0
        ? <Empty icon={CircleCheck} title={say(service.recent_failures ? 'service.failures.none' : 'service.unknown')}>
          <p>{service.recent_failures
            ? say('service.failures.words')
            : service.notes.map((note) => translate('services', note)).join(' ')}
          </p>
        </Empty>
        : <Table
            columns={[
              say('service.stopped'), say('container.why'), say('service.containers'), { numeric: say('service.times') }
            ]}
        >
          {failures.map((failure) => <tr key={failure.task_id}>
              <td class='nowrap'><Time at={failure.stopped_at} /></td><td>{failure.reason}</td>
              <td class='mono'>{exits(failure)}</td><td class='numeric'>{failure.count}</td>
          </tr>)}
        </Table>}
    </section>
  )
}
