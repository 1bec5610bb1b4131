import type { FilteredLogEvent } from '@aws-sdk/client-cloudwatch-logs'
import { ApiError } from '../../../../schemas/errors.js'
import { chunked } from '../services/read-clusters.js'
import type { FunctionRef } from '../functions/resolve-function.js'
import { keyFor, type Deps } from '../sources.js'
import type { ServiceRef } from '../services/resolve.js'

/** Log groups, and even the prefixes of their streams, may be shared: whose lines there are is asked of AWS. */
export interface LogOwner {
  /** @returns the lines without those that are certainly another's */
  keep: (events: FilteredLogEvent[]) => Promise<FilteredLogEvent[]>
  /** @returns what is to be said of the lines that were kept though nothing says whose they are */
  notes: () => string[]
}

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
