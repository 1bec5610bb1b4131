import type { CloudWatchLogs, FilteredLogEvent } from '@aws-sdk/client-cloudwatch-logs'
import type { AccountRow } from '../../../db/cloud/accounts.js'
import { ApiError } from '../../../schemas/errors.js'
import type { LogEvent, LogSource } from '../../../schemas/infrastructure/logs.js'
import type { Deps } from './sources.js'

/** Where lines come from: one group, mostly one container's streams in it. */
export interface Origin {
  region: string
  group: string
  prefix: string | null
  container: string | null
}

/** Where the reading of one origin goes on; null = nothing older is left. */
export type Mark = { to: number, token?: string, seen?: string[] } | null

export interface Found { origin: Origin, events: FilteredLogEvent[], mark: Mark, status: LogSource }

export interface Ask { from: number, filter: string | undefined, limit: number, pages: { left: number, until: number } }

const maxMessage = 65_536

const statuses: Record<string, LogSource['status']> = {
  aws_resource_not_found: 'missing',
  aws_permission_denied: 'denied',
  aws_throttled: 'throttled',
  unsupported: 'unsupported'
}

export const statusOf = (origin: Origin, error?: ApiError): LogSource => {
  const isClass = error?.code === 'aws_rejected' && /log class|not supported/i.test(error.message)
  const status = error === undefined ? 'ok' : isClass ? 'unsupported' : statuses[error.code]
  if (!status) throw error
  const { region, group, prefix, container } = origin
  return { region, group, stream_prefix: prefix, container, status, detail: error?.message ?? null }
}

export const logsClient = ({ aws }: Deps, account: AccountRow, { region }: Origin): Promise<CloudWatchLogs> =>
  aws.client('logs', account, region)

const requestOf = ({ group, prefix }: Origin, ask: Pick<Ask, 'from' | 'filter' | 'limit'>) => ({
  logGroupName: group,
  logStreamNamePrefix: prefix ?? undefined,
  filterPattern: ask.filter,
  startTime: ask.from,
  limit: ask.limit
})

/** An endpoint that does not know `startFromHead` answers oldest first; then the range is read to its end. */
const isAscending = (events: FilteredLogEvent[]): boolean =>
  (events[0]?.timestamp ?? 0) < (events.at(-1)?.timestamp ?? 0)

/** Pages may be empty and still have a successor, so only the token says where the end is. */
const readPages = async (client: CloudWatchLogs, origin: Origin, mark: NonNullable<Mark>, ask: Ask) => {
  const events: FilteredLogEvent[] = []
  let token = mark.token
  let ascending = false
  do {
    ask.pages.left--
    const page = await client.filterLogEvents({
      ...requestOf(origin, ask), endTime: mark.to, startFromHead: false, nextToken: token
    })
    const fresh = (page.events ?? []).filter(({ eventId = '' }) => !mark.seen?.includes(eventId))
    ascending ||= isAscending(fresh)
    events.push(...fresh)
    token = page.nextToken
  } while (token && (ascending || events.length < ask.limit) && ask.pages.left > 0 && Date.now() < ask.pages.until)
  return { events, token }
}

/** Reads the newest lines of one origin, at most as many pages as are left for all of them together. */
export const readOrigin = async (deps: Deps, account: AccountRow, origin: Origin, mark: Mark, ask: Ask):
Promise<Found> => {
  if (mark === null) return { origin, events: [], mark, status: statusOf(origin) }
  try {
    const { events, token } = await readPages(await logsClient(deps, account, origin), origin, mark, ask)
    return { origin, events, mark: token ? { ...mark, token } : null, status: statusOf(origin) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { origin, events: [], mark: null, status: statusOf(origin, error) }
  }
}

/** Reads what came since, oldest first; a page that is full has a successor, which the next poll reads. */
export const readSince = async (deps: Deps, account: AccountRow, origin: Origin, ask: Omit<Ask, 'pages'>):
Promise<Found> => {
  try {
    const client = await logsClient(deps, account, origin)
    const events: FilteredLogEvent[] = []
    let nextToken: string | undefined
    let pages = 5
    do {
      const page = await client.filterLogEvents({ ...requestOf(origin, ask), nextToken })
      events.push(...page.events ?? [])
      nextToken = page.nextToken
    } while (nextToken && events.length < ask.limit && --pages > 0)
    return { origin, events, mark: null, status: statusOf(origin) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { origin, events: [], mark: null, status: statusOf(origin, error) }
  }
}

/** A stream of awslogs is `<prefix>/<container>/<task id>`. */
const partsOf = (stream: string, origin: Origin) => {
  const parts = stream.split('/')
  if (origin.container === null || parts.length < 3) return { container: origin.container, task_id: null }
  return { container: parts.at(-2) ?? null, task_id: parts.at(-1) ?? null }
}

export const describeEvent = (origin: Origin, event: FilteredLogEvent): LogEvent => {
  const { message = '', logStreamName: stream = '', timestamp = 0, ingestionTime } = event
  const truncated = message.length > maxMessage
  return {
    id: event.eventId ?? '',
    timestamp: new Date(timestamp).toISOString(),
    ingested_at: ingestionTime === undefined ? null : new Date(ingestionTime).toISOString(),
    message: truncated ? message.slice(0, maxMessage) : message,
    truncated,
    ...partsOf(stream, origin),
    stream,
    group: origin.group,
    region: origin.region
  }
}
