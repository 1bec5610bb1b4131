import type {
  CreateLogGroupRequest, DescribeLogGroupsRequest, DescribeLogGroupsResponse, DescribeLogStreamsRequest,
  DescribeLogStreamsResponse, LogStream
} from '@aws-sdk/client-cloudwatch-logs'
import { AwsError, invalid } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import { groupArn, requireGroup } from './lookup.js'
import { INGESTION_MS, readStreams } from './read.js'
import type { LogStreamState } from './state.js'

const RULE = { fallback: 50, max: 50, error: invalid }

export const groupOperations = {
  CreateLogGroup: operation('logs:CreateLogGroup', createLogGroup, ({ region, input }) => groupArn(region, input)),
  DescribeLogGroups: operation('logs:DescribeLogGroups', describeLogGroups,
    ({ region }) => `arn:aws:logs:${region.name}:${region.accountId}:log-group::log-stream:`),
  DescribeLogStreams: operation('logs:DescribeLogStreams', describeLogStreams,
    ({ region, input }) => groupArn(region, input))
}

function createLogGroup ({ region, input, now }: Call<CreateLogGroupRequest>): Record<string, never> {
  const name = input.logGroupName ?? ''
  if (!/^[.\-_/#A-Za-z0-9]{1,512}$/.test(name)) throw invalid('Invalid log group name.')
  if (region.logGroups.has(name)) {
    throw new AwsError('ResourceAlreadyExistsException', 'The specified log group already exists')
  }
  region.logGroups.set(name, {
    name,
    arn: `arn:aws:logs:${region.name}:${region.accountId}:log-group:${name}`,
    class: input.logGroupClass ?? 'STANDARD',
    retentionInDays: undefined,
    createdAt: now,
    streams: new Map()
  })
  return {}
}

function describeLogGroups ({ region, input }: Call<DescribeLogGroupsRequest>): DescribeLogGroupsResponse {
  const { logGroupNamePrefix: prefix = '', logGroupNamePattern: pattern = '' } = input
  if (prefix && pattern) throw invalid('logGroupNamePrefix and logGroupNamePattern are mutually exclusive parameters.')
  const groups = [...region.logGroups.values()]
    .filter((one) => one.name.startsWith(prefix) && one.name.includes(pattern))
    .filter((one) => !input.logGroupClass || one.class === input.logGroupClass)
    .sort((a, b) => a.name < b.name ? -1 : 1)
  const { items, nextToken } = page(groups, 'groups', { size: input.limit, token: input.nextToken }, RULE)
  const logGroups = items.map((one) => ({
    logGroupName: one.name,
    creationTime: one.createdAt,
    retentionInDays: one.retentionInDays,
    metricFilterCount: 0,
    arn: `${one.arn}:*`,
    storedBytes: one.streams.size * 48_213,
    logGroupClass: one.class,
    logGroupArn: one.arn
  }))
  return { logGroups, nextToken }
}

function describeLogStreams (call: Call<DescribeLogStreamsRequest>): DescribeLogStreamsResponse {
  const { region, input, now } = call
  const group = requireGroup(region, input)
  const byTime = input.orderBy === 'LastEventTime'
  if (byTime && input.logStreamNamePrefix) {
    throw invalid('Cannot order by LastEventTime with a logStreamNamePrefix.')
  }
  const streams = [...group.streams.values()]
    .filter((one) => one.name.startsWith(input.logStreamNamePrefix ?? ''))
    .map((one) => viewStream(one, group.arn, now))
    .sort((a, b) => byTime ? (a.lastEventTimestamp ?? 0) - (b.lastEventTimestamp ?? 0) : byName(a, b))
  if (input.descending) streams.reverse()
  const request = { size: input.limit, token: input.nextToken }
  const { items, nextToken } = page(streams, `streams/${group.name}`, request, RULE)
  return { logStreams: items, nextToken }
}

function byName (a: LogStream, b: LogStream): number {
  return (a.logStreamName ?? '') < (b.logStreamName ?? '') ? -1 : 1
}

function viewStream (stream: LogStreamState, groupArn: string, now: number): LogStream {
  const range = { from: 0, to: now - INGESTION_MS }
  const first = readStreams([stream], range).next().value?.at
  const last = readStreams([stream], range, true).next().value?.at
  return {
    logStreamName: stream.name,
    creationTime: stream.createdAt,
    firstEventTimestamp: first,
    lastEventTimestamp: last,
    lastIngestionTime: last === undefined ? undefined : last + INGESTION_MS,
    uploadSequenceToken: '49039859623148144226741174112403518216168325',
    arn: `${groupArn}:log-stream:${stream.name}`,
    storedBytes: 0
  }
}
