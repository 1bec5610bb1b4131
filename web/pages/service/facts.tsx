import type { Schemas } from '../../api/client'
import { formatCount, formatSize } from '../../parts/money'
import { say, sayWith } from '../../texts/say'

type Service = Schemas['ServiceDetail']

const mebibyte = 1024 ** 2

const formatCpu = (units: number | null): string =>
  units === null ? say('service.noLimit') : `${formatCount(units / 1_024)} vCPU`

const formatMemory = (size: number | null): string => size ===
  null
  ? say('service.noLimit')
  : formatSize(size * mebibyte)

const formatTaskDefinition = ({ task_definition: definition }: Service) =>
  definition ? `${definition.family}:${definition.revision}` : '–'

const Images = ({ of: { images } }: { of: Service }) => images === null
  ? <>{say('service.unread')}</>
  : <ul class='plain'>{images.map(({ container, image, digest }) => <li key={container}>
    <code title={digest ?? undefined}>{image}</code>
    {images.length > 1 && <span class='muted'> {say('service.inContainer', { container })}</span>}
  </li>)}
  </ul>

const Ports = ({ of: { ports } }: { of: Service }) => ports === null || ports.length === 0
  ? <>{ports === null ? say('service.unread') : say('service.noPorts')}</>
  : <ul class='plain'>{ports.map(({ container, port, protocol, load_balancer: balancer }) => <li
      key={`${container} ${port} ${protocol}`}
  >
    {balancer
      ? sayWith('service.port.balanced', { port: String(port), protocol, container, balancer: <code>{balancer}</code> })
      : say('service.port', { port: String(port), protocol, container })}
  </li>)}
  </ul>

const Figure = ({ label, value }: { label: string, value: string }) => <div class='figure'>
  <span class='small muted'>{label}</span><strong>{value}</strong>
</div>

/** How many tasks run, and what each of them is. */
export const Facts = ({ service }: { service: Service }) => <div class='card stack'>
  <div class='figures short'>
    <Figure
      label={say('container.running')}
      value={say('service.runningOf', { running: service.running_count, desired: service.desired_count })}
    />
    <Figure label={say('service.pending')} value={String(service.pending_count)} />
    <Figure label={say('service.cpu')} value={service.task_size ? formatCpu(service.task_size.cpu_units) : '–'} />
    <Figure label={say('service.memory')} value={service.task_size ? formatMemory(service.task_size.memory_mb) : '–'} />
    <Figure
      label={say('service.autoscaling')}
      value={service.autoscaling
        ? `${service.autoscaling.min}–${service.autoscaling.max}`
        : say('service.autoscaling.off')}
    />
  </div>
  <dl class='facts'>
    <dt>{say('container.image')}</dt><dd><Images of={service} /></dd>
    <dt>{say('service.taskDefinition')}</dt><dd>{formatTaskDefinition(service)}</dd>
    <dt>{say('service.ports')}</dt><dd><Ports of={service} /></dd>
    <dt>{say('service.inAws')}</dt>
    <dd><a href={service.console_url} target='_blank' rel='noopener noreferrer'>{say('service.console')}</a></dd>
  </dl>
</div>
