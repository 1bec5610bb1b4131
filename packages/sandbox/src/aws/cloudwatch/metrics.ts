import type { Region } from '../core/world.js'
import type { ServiceState } from '../ecs/state.js'
import type { FunctionState } from '../lambda/state.js'
import type { Sample } from './statistics.js'

/** A metric with all that is known of it. `samples` are computed for the range that is asked for. */
export interface MetricState {
  namespace: string
  name: string
  dimensions: { Name: string, Value: string }[]
  samples: (from: number, to: number) => Iterable<Sample>
}

const MINUTE = 60_000
const DAY = 1_440 * MINUTE

/** From 0 to 1, the same for the same name and minute. */
function noise (name: string, minute: number): number {
  let hash = 2_166_136_261 ^ minute
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507)
  return ((hash ^ (hash >>> 13)) >>> 0) / 4_294_967_296
}

/** More by day than by night. */
const daily = (at: number) => 0.5 - 0.5 * Math.cos(2 * Math.PI * (at % DAY) / DAY)

interface Span { from: number, until: number | undefined }

/** When tasks of the service ran: those that ECS still lists, and those that it has forgotten. */
function spansOf ({ tasks, past }: ServiceState): Span[] {
  return [...past, ...tasks.flatMap(({ wire: { startedAt, stoppedAt } }) => startedAt === undefined
    ? []
    : [{ from: startedAt * 1_000, until: stoppedAt === undefined ? undefined : stoppedAt * 1_000 }])]
}

/** A value for each minute in which tasks ran: of what does not run, nothing is reported. */
const whileRunning = (service: ServiceState, value: (at: number, running: number) => number | undefined) =>
  function * (from: number, to: number): Iterable<Sample> {
    const spans = spansOf(service)
    for (let at = Math.ceil(from / MINUTE) * MINUTE; at < to; at += MINUTE) {
      const running = spans.filter((span) => span.from < at + MINUTE && (span.until ?? Infinity) > at).length
      const found = running === 0 ? undefined : value(at, running)
      if (found !== undefined) yield { at, value: found }
    }
  }

const isShortOfMemory = ({ tasks }: ServiceState) => tasks.some(({ ending }) => ending === 'oom')

const requestsOf = (name: string, at: number) =>
  Math.round(40 + 260 * daily(at) + 40 * noise(`${name}/requests`, at / MINUTE))

/** About one minute in a hundred and fifty has errors; a load balancer reports none of the others. */
const errorsOf = (name: string, at: number) => {
  const chance = noise(`${name}/5xx`, at / MINUTE)
  return chance < 1 / 150 ? 1 + Math.floor(chance * 600) : undefined
}

const secondsOf = (name: string, at: number) => 0.03 + 0.06 * daily(at) + 0.05 * noise(`${name}/seconds`, at / MINUTE) ** 3

function metricsOfService (service: ServiceState, cluster: string): MetricState[] {
  const { name } = service
  const dimensions = [{ Name: 'ClusterName', Value: cluster }, { Name: 'ServiceName', Value: name }]
  const base = 8 + 22 * noise(`${name}/cpu`, 0)
  return [
    {
      namespace: 'AWS/ECS',
      name: 'CPUUtilization',
      dimensions,
      samples: whileRunning(service, (at) => base * (0.6 + 0.8 * daily(at)) + 6 * noise(`${name}/cpu`, at / MINUTE))
    },
    {
      namespace: 'AWS/ECS',
      name: 'MemoryUtilization',
      dimensions,
      samples: whileRunning(service, (at) => isShortOfMemory(service)
        ? 97 + 3 * noise(`${name}/memory`, at / MINUTE)
        : 30 + base + 2 * noise(`${name}/memory`, at / MINUTE))
    },
    ...service.loadBalancers.flatMap((one) => metricsOfTargets(service, one.targetGroupArn))
  ]
}

/** `targetgroup/web/0123456789abcdef`, as dimensions name a target group. */
export const targetGroupOf = (arn = '') => /targetgroup\/.+$/.exec(arn)?.[0]

function metricsOfTargets (service: ServiceState, arn: string | undefined): MetricState[] {
  const group = targetGroupOf(arn)
  if (group === undefined) return []
  const [, name = '', id = ''] = group.split('/')
  const of = (metric: string, value: (at: number) => number | undefined): MetricState => ({
    namespace: 'AWS/ApplicationELB',
    name: metric,
    dimensions: [{ Name: 'TargetGroup', Value: group }, { Name: 'LoadBalancer', Value: `app/${name}/${id}` }],
    samples: whileRunning(service, value)
  })
  return [
    of('RequestCount', (at) => requestsOf(name, at)),
    of('HTTPCode_Target_5XX_Count', (at) => errorsOf(name, at)),
    of('TargetResponseTime', (at) => secondsOf(name, at))
  ]
}

const failed = /ERROR Invoke Error |Task timed out after |Error: Runtime exited with error/
const report = /^REPORT .*\tDuration: ([\d.]+) ms/

interface Invocation { at: number, milliseconds: number, isError: boolean }

/** What a function's own log says of each invocation, so that metrics and logs agree. */
function invocationsOf (region: Region, { name, versions }: FunctionState): Invocation[] {
  const group = region.logGroups.get(versions[0]?.LoggingConfig?.LogGroup ?? `/aws/lambda/${name}`)
  return [...group?.streams.values() ?? []].flatMap(({ lines }) => {
    let isError = false
    return lines.flatMap(({ at, message }) => {
      if (message.startsWith('START ')) isError = false
      if (failed.test(message)) isError = true
      const duration = report.exec(message)?.[1]
      return duration === undefined ? [] : [{ at, milliseconds: Number(duration), isError }]
    })
  })
}

function metricsOfFunction (region: Region, state: FunctionState): MetricState[] {
  const between = (from: number, to: number) => ({ at }: { at: number }) => at >= from && at < to
  const of = (name: string, value: (one: Invocation) => number): MetricState => ({
    namespace: 'AWS/Lambda',
    name,
    dimensions: [{ Name: 'FunctionName', Value: state.name }],
    samples: (from, to) => invocationsOf(region, state).filter(between(from, to))
      .map((one) => ({ at: one.at, value: value(one) }))
  })
  const throttles: MetricState = {
    ...of('Throttles', () => 0),
    samples: (from, to) => [
      ...invocationsOf(region, state).map(({ at }) => ({ at, value: 0 })),
      ...(state.throttledAt ?? []).map((at) => ({ at, value: 1 }))
    ].filter(between(from, to))
  }
  return [
    of('Invocations', () => 1), of('Errors', ({ isError }) => isError ? 1 : 0), of('Duration', ({ milliseconds }) => milliseconds),
    throttles
  ]
}

/** Every metric that the services and functions of a region report. */
export function metricsOf (region: Region): MetricState[] {
  return [
    ...[...region.ecs.clusters.values()].flatMap((cluster) =>
      [...cluster.services.values()].flatMap((service) => metricsOfService(service, cluster.name))),
    ...[...region.functions.values()].flatMap((state) => metricsOfFunction(region, state))
  ]
}
