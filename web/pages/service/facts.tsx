import type { Schemas } from '../../api/client'
import { formatCount, formatSize } from '../../parts/money'

type Service = Schemas['ServiceDetail']

const mebibyte = 1024 ** 2

const formatCpu = (units: number | null): string =>
  units === null ? 'no limit' : `${formatCount(units / 1_024)} vCPU`

const formatMemory = (size: number | null): string => size === null ? 'no limit' : formatSize(size * mebibyte)

const formatTaskDefinition = ({ task_definition: definition }: Service) =>
  definition ? `${definition.family}:${definition.revision}` : '–'

const Images = ({ of: { images } }: { of: Service }) => images === null
  ? <>could not be read</>
  : <ul class='plain'>{images.map(({ container, image, digest }) => <li key={container}>
    <code title={digest ?? undefined}>{image}</code>{images.length > 1 && <span class='muted'> in {container}</span>}
  </li>)}
  </ul>

const Ports = ({ of: { ports } }: { of: Service }) => ports === null || ports.length === 0
  ? <>{ports === null ? 'could not be read' : 'none: nothing can connect to it'}</>
  : <ul class='plain'>{ports.map(({ container, port, protocol, load_balancer: balancer }) => <li
      key={`${container} ${port} ${protocol}`}
  >
    {port}/{protocol} of {container}{balancer && <>, behind the target group <code>{balancer}</code></>}
  </li>)}
  </ul>

const Figure = ({ label, value }: { label: string, value: string }) => <div class='figure'>
  <span class='small muted'>{label}</span><strong>{value}</strong>
</div>

/** How many tasks run, and what each of them is. */
export const Facts = ({ service }: { service: Service }) => <div class='card stack'>
  <div class='figures short'>
    <Figure label='Running' value={`${service.running_count} of ${service.desired_count}`} />
    <Figure label='Pending' value={String(service.pending_count)} />
    <Figure label='CPU of a task' value={service.task_size ? formatCpu(service.task_size.cpu_units) : '–'} />
    <Figure label='Memory of a task' value={service.task_size ? formatMemory(service.task_size.memory_mb) : '–'} />
    <Figure
      label='Autoscaling' value={service.autoscaling ? `${service.autoscaling.min}–${service.autoscaling.max}` : 'off'}
    />
  </div>
  <dl class='facts'>
    <dt>Image</dt><dd><Images of={service} /></dd>
    <dt>Task definition</dt><dd>{formatTaskDefinition(service)}</dd>
    <dt>Ports</dt><dd><Ports of={service} /></dd>
    <dt>In AWS</dt>
    <dd><a href={service.console_url} target='_blank' rel='noopener noreferrer'>Open in the console of ECS</a></dd>
  </dl>
</div>
