import { setTimeout as sleep } from 'node:timers/promises'
import type { ContainerDefinition } from '@aws-sdk/client-ecs'
import type { FilteredLogEvent } from '@aws-sdk/client-cloudwatch-logs'
import { fitFrame } from '../../../../lib/streams/events.js'
import type { Sink } from '../../../../lib/streams/follow.js'
import { ApiError } from '../../../../schemas/errors.js'
import type { LogSource, ServiceLogRequest, LogEvent, LogRequest } from '../../../../schemas/infrastructure/logs.js'
import { ContainerUnknown, type Deps, keyFor } from '../errors.js'
import { loadFunction, type FunctionRef } from '../functions/resolve-function.js'
import { chunked } from '../services/read-clusters.js'
import { loadService } from '../services/read-service.js'
import { loadDefinition } from '../services/read-services.js'
import type { ServiceRef } from '../services/resolve.js'
import type { Origin } from './log-lines.js'
import { type LogOwner, type Logs, readNewer, readOlder, type NewerKey, type Paged } from './page-logs.js'

/** Log groups, and even the prefixes of their streams, may be shared: whose lines there are is asked of AWS. */
const streamOf = ({ logStreamName = '' }: FilteredLogEvent): string => logStreamName

/** `2026/11/27/checkout[$LATEST]0a…` in a group that is shared, `2026/11/27/[$LATEST]0a…` in the function's own. */
const functionIn = (stream: string): string | undefined => /^\d{4}\/\d{2}\/\d{2}\/([\w-]*)\[/.exec(stream)?.[1]

export const functionOwner = ({ name }: Pick<FunctionRef, 'name'>, group: string): LogOwner => {
  const isOwnGroup = group === `/aws/lambda/${name}`
  let isUnclear = false
  const isOwn = (stream: string): boolean => {
    const named = functionIn(stream)
    if (named === undefined || (named === '' && !isOwnGroup)) isUnclear = true
    return named === undefined || named === '' || named === name
  }
  return {
    keep: async (events) => events.filter((event) => isOwn(streamOf(event))),
    notes: () => isUnclear
      ? [`Not all streams of the log group ${group} name a function: some of these lines may be of others`]
      : []
  }
}

/** The last part of an awslogs stream, `<prefix>/<container>/<task id>`. */
const taskIn = (stream: string): string | undefined => {
  const parts = stream.split('/')
  const id = parts.at(-1) ?? ''
  return parts.length > 2 && /^[0-9A-Za-z-]+$/.test(id) ? id : undefined
}

/** For so long it is remembered that ECS does not know a task. */
const unknownMs = 60_000
/** DescribeTasks takes no more. */
const chunk = 100

/** @returns which service started each task, by its id; ECS forgets a task an hour after it has stopped */
const readGroups = async ({ aws }: Deps, ref: ServiceRef, ids: string[]): Promise<Map<string, string>> => {
  const ecs = await aws.client('ecs', ref.account, ref.region)
  const pages = await Promise.all(chunked(ids, chunk).map((tasks) => ecs.describeTasks({ cluster: ref.cluster, tasks })))
  return new Map(pages.flatMap(({ tasks = [] }) => tasks)
    .map(({ taskArn = '', group = '' }) => [taskArn.split('/').at(-1) ?? '', group]))
}

export const serviceOwner = (deps: Deps, ref: ServiceRef): LogOwner => {
  const own = `service:${ref.service}`
  const known = new Map<string, string | undefined>()
  let unknown = new Set<string>()
  const learn = async (ids: string[]) => {
    const open = ids.filter((id) => !known.has(id))
    if (open.length === 0) return
    const key = keyFor(ref, `services|${ref.cluster}|owners of ${open.toSorted().join()}`)
    const groups = await deps.aws.inventory.recall(key, unknownMs, () => readGroups(deps, ref, open))
      .catch((error: unknown) => {
        if (error instanceof ApiError) return new Map<string, string>()
        throw error
      })
    for (const id of open) known.set(id, groups.get(id))
  }
  const isOwn = (stream: string): boolean => {
    const group = known.get(taskIn(stream) ?? '')
    if (group === undefined) unknown = unknown.add(stream)
    return group === undefined || group === own
  }
  return {
    keep: async (events) => {
      const ids = events.map((event) => taskIn(streamOf(event))).filter((id) => id !== undefined)
      await learn([...new Set(ids)])
      return events.filter((event) => isOwn(streamOf(event)))
    },
    notes: () => unknown.size === 0
      ? []
      : [`ECS no longer says which service wrote ${unknown.size === 1 ? 'one' : unknown.size} of the streams read: ` +
        'where services share a log group and a prefix, lines of others may be among these']
  }
}

const pauseMs = 2_000
const longestMs = 30 * 60_000

const frame = (event: string, data: object, id?: string): string => {
  const typed = { type: event, ...data }
  const last = id === undefined ? '' : `id: ${id}\n`
  return `event: ${event}\ndata: ${fitFrame(typed, JSON.stringify(typed))}\n${last}\n`
}

/** Only the last line of a batch carries an id, so that resuming neither loses nor repeats a line. */
const framesOf = (items: LogEvent[], id: string): string =>
  items.map((item, index) => frame('log', item, index === items.length - 1 ? id : undefined)).join('')

const problem = (error: ApiError) => frame('error',
  { code: error.code, message: error.message, retryable: error.statusCode >= 500 })

/**
 * Sends lines as they come, until the client leaves, for 30 minutes at most. Each poll reads some seconds of the past
 * again, since CloudWatch ingests lines out of order, and sends each line once.
 */
export const followLogs = async (deps: Deps, logs: Logs, input: LogRequest, start: NewerKey | undefined,
  encode: (key: NewerKey) => string, sink: Sink): Promise<void> => {
  const end = Date.now() + longestMs
  let key = start
  const send = (paged: Paged) => {
    key = paged.newer
    if (paged.items.length > 0) sink.write(framesOf(paged.items, encode(paged.newer)))
  }
  while (!sink.signal.aborted && Date.now() < end) {
    try {
      send(key ? await readNewer(deps, logs, input, key) : await readOlder(deps, logs, input))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      sink.write(problem(error))
      if (error.statusCode < 500) return
    }
    await sleep(pauseMs, undefined, { signal: sink.signal }).catch(() => undefined)
  }
  if (!sink.signal.aborted) sink.write(frame('end', { reason: 'time_limit' }))
}

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
