import type { FilteredLogEvent } from '@aws-sdk/client-cloudwatch-logs'
import type { AccountRow } from '../../../../lib/aws/accounts.js'
import { ApiError } from '../../../../schemas/errors.js'
import type { LogEvent, LogSource } from '../../../../schemas/infrastructure/logs.js'
import { idOf, readBack, readForward, type Budget, type OpenMark, type Origin, type Range } from './log-lines.js'
import type { Deps } from '../errors.js'

/** Where the reading of one origin goes on: null = nothing older is left; denied = refused on an earlier page. */
export type Mark = OpenMark | 'denied' | null

/** What one origin answered. `error`: why it did not answer, else null. */
export interface Found {
  origin: Origin
  events: FilteredLogEvent[]
  mark: Mark
  windowed: boolean
  status: LogSource
  error: ApiError | null
}

const maxMessage = 65_536

const statuses: Record<string, LogSource['status']> = {
  aws_resource_not_found: 'missing',
  aws_permission_denied: 'denied',
  aws_throttled: 'throttled',
  unsupported: 'unsupported'
}

const failing: ReadonlySet<LogSource['status']> = new Set(['denied', 'throttled', 'failed'])

/** @returns whether the lines of the source are unknown */
export const isFailing = ({ status }: LogSource): boolean => failing.has(status)

export const statusOf = (origin: Origin, error?: ApiError): LogSource => {
  const isClass = error?.code === 'aws_rejected' && /log class|not supported/i.test(error.message)
  const known = isClass ? 'unsupported' : statuses[error?.code ?? ''] ?? 'failed'
  const { region, group, prefix, container } = origin
  return {
    region, group, stream_prefix: prefix, container, status: error ? known : 'ok', detail: error?.message ?? null
  }
}

/** @param mark where the next page goes on: a source that failed is read again, one that was denied is not */
const toFailure = (origin: Origin, thrown: unknown, mark: OpenMark): Found => {
  if (!(thrown instanceof ApiError)) throw thrown
  const status = statusOf(origin, thrown)
  const next = status.status === 'denied' ? 'denied' : isFailing(status) ? mark : null
  return { origin, events: [], mark: next, windowed: false, status, error: isFailing(status) ? thrown : null }
}

const skipped = (origin: Origin, mark: null | 'denied'): Found => {
  const status = { ...statusOf(origin), ...(mark && { status: mark, detail: 'AWS denied these logs' }) }
  return { origin, events: [], mark, windowed: false, status, error: null }
}

/** Reads the newest lines of one origin, at most as many pages as are left for all of them together. */
export const readOrigin = async (deps: Deps, account: AccountRow, origin: Origin, mark: Mark, range: Range,
  budget: Budget): Promise<Found> => {
  if (mark === null || mark === 'denied') return skipped(origin, mark)
  try {
    const client = await deps.aws.client('logs', account, origin.region)
    return { origin, ...await readBack(client, origin, mark, range, budget), status: statusOf(origin), error: null }
  } catch (error) {
    return toFailure(origin, error, mark)
  }
}

/** Reads what came since, oldest first; a page that is full has a successor, which the next poll reads. */
export const readSince = async (deps: Deps, account: AccountRow, origin: Origin, range: Range): Promise<Found> => {
  try {
    const client = await deps.aws.client('logs', account, origin.region)
    const events = await readForward(client, origin, range)
    return { origin, events, mark: null, windowed: false, status: statusOf(origin), error: null }
  } catch (error) {
    return toFailure(origin, error, { to: range.from })
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
    id: idOf(event),
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
