import { AwsError, invalid } from '../core/errors.js'
import type { Region } from '../core/world.js'
import type { LogGroupState, LogStreamState } from './state.js'

export interface GroupChoice { logGroupName?: string | undefined; logGroupIdentifier?: string | undefined }

/** The name in a name or an ARN. */
export function groupName ({ logGroupName, logGroupIdentifier }: GroupChoice): string {
  if (logGroupName && logGroupIdentifier) {
    throw invalid('Only one of logGroupName and logGroupIdentifier may be specified.')
  }
  const text = logGroupName ?? logGroupIdentifier
  if (!text) throw invalid('logGroupName must not be null.')
  return text.startsWith('arn:') ? text.split(':').slice(6).join(':').replace(/:\*$/, '') : text
}

/** The group, or ResourceNotFoundException. */
export function requireGroup (region: Region, choice: GroupChoice): LogGroupState {
  const group = region.logGroups.get(groupName(choice))
  if (!group) throw new AwsError('ResourceNotFoundException', 'The specified log group does not exist.')
  return group
}

/** The group, provided that its class lets its events be read one by one. */
export function requireReadable (region: Region, choice: GroupChoice, operation: string): LogGroupState {
  const group = requireGroup(region, choice)
  if (group.class !== 'STANDARD') {
    throw invalid(`${operation} is not supported for log groups with log class ${group.class}.`)
  }
  return group
}

/** The stream, or ResourceNotFoundException. */
export function requireStream (group: LogGroupState, name: string | undefined): LogStreamState {
  const stream = group.streams.get(name ?? '')
  if (!stream) throw new AwsError('ResourceNotFoundException', 'The specified log stream does not exist.')
  return stream
}

/** What a policy names: the ARN of a group that need not exist. */
export function groupArn (region: Region, choice: GroupChoice): string {
  const name = choice.logGroupName ?? choice.logGroupIdentifier ?? ''
  const arn = name.startsWith('arn:') ? name : `arn:aws:logs:${region.name}:${region.accountId}:log-group:${name}`
  return `${arn}:log-stream:`
}
