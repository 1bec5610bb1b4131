import type { ContainerDefinition } from '@aws-sdk/client-ecs'
import type { LogSource, ServiceLogRequest } from '../../../../schemas/infrastructure/logs.js'
import { ContainerUnknown } from '../errors.js'
import type { Origin } from './log-lines.js'
import { functionOwner, serviceOwner } from './log-owners.js'
import type { Logs } from './page-logs.js'
import { loadService } from '../services/read-service.js'
import { loadDefinition } from '../services/read-services.js'
import { loadFunction, type FunctionRef } from '../functions/resolve-function.js'
import type { ServiceRef } from '../services/resolve.js'
import type { Deps } from '../sources.js'

const unsupported = (region: string, name: string, detail: string): LogSource =>
  ({ region, group: '', stream_prefix: null, container: name, status: 'unsupported', detail })

const originOf = (region: string, definition: ContainerDefinition, task: string | undefined): Origin | LogSource => {
  const { name = '', logConfiguration: log } = definition
  const options = log?.options ?? {}
  if (!log) return unsupported(region, name, 'The container has no log driver')
  const driver = log.logDriver
  if (driver !== 'awslogs') return unsupported(region, name, `The logs go to ${driver}, not to CloudWatch`)
  const stem = options['awslogs-stream-prefix']
  return {
    // The logs may be in another region than the service.
    region: options['awslogs-region'] ?? region,
    group: options['awslogs-group'] ?? '',
    // Without a prefix (EC2 only) a stream is named by the container's id, which nothing here knows.
    prefix: stem === undefined ? null : `${stem}/${name}/${task ?? ''}`,
    container: name
  }
}

/** A group that is read without a prefix has the lines of all its streams: none of them is read twice. */
const withoutCovered = (origins: Origin[]): Origin[] => {
  const whole = new Map(origins.filter(({ prefix }) => prefix === null)
    .map((origin) => [`${origin.region}|${origin.group}`, origin]))
  const coverOf = ({ region, group }: Origin) => whole.get(`${region}|${group}`)
  const isAlone = (origin: Origin) => origins.filter((one) => coverOf(one) === coverOf(origin)).length === 1
  return origins.flatMap((origin) => {
    const cover = coverOf(origin)
    if (!cover || isAlone(origin)) return [origin]
    // Which container a line is of, its stream alone does not say.
    return cover === origin ? [{ ...origin, container: null }] : []
  })
}

/**
 * @returns the log groups of the revisions that the service runs now
 * @throws container_unknown for a container that none of them has
 */
export const findServiceLogs = async (deps: Deps, ref: ServiceRef, input: ServiceLogRequest): Promise<Logs> => {
  const service = await loadService(deps, ref)
  const arns = new Set([service.taskDefinition, ...(service.deployments ?? []).map((one) => one.taskDefinition)])
  const definitions = await Promise.all([...arns].filter((arn) => arn !== undefined)
    .map((arn) => loadDefinition(deps, ref, arn)))
  const containers = definitions.flatMap((definition) => definition?.containerDefinitions ?? [])
  const chosen = containers.filter(({ name }) => input.container === undefined || name === input.container)
  if (chosen.length === 0) {
    const names = [...new Set(containers.map(({ name }) => name))]
    const message = `There is no container ${input.container}; the task has ${names.join(', ')}`
    throw ContainerUnknown(message, { containers: names })
  }
  const all = chosen.map((definition) => originOf(ref.region, definition, input.task))
  const distinct = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
  return {
    account: ref.account,
    origins: withoutCovered(distinct.filter((one): one is Origin => !('status' in one))),
    unreadable: distinct.filter((one): one is LogSource => 'status' in one),
    owner: serviceOwner(deps, ref)
  }
}

/** @returns the log group of the function, which need not exist before its first run */
export const findFunctionLogs = async (deps: Deps, ref: FunctionRef): Promise<Logs> => {
  const { LoggingConfig: logging } = await loadFunction(deps, ref)
  const group = logging?.LogGroup ?? `/aws/lambda/${ref.name}`
  const origin: Origin = { region: ref.region, group, prefix: null, container: null }
  return { account: ref.account, origins: [origin], unreadable: [], owner: functionOwner(ref, group) }
}
