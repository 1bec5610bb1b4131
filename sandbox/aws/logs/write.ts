import type { Region } from '../core/world.js'
import type { LogGroupState, LogLine } from './state.js'

/** Appends lines to a stream, which is made if need be. */
export function writeLines (group: LogGroupState, streamName: string, lines: LogLine[]): void {
  const stream = group.streams.get(streamName) ??
    { name: streamName, createdAt: lines[0]?.at ?? 0, lines: [], chatter: undefined }
  group.streams.set(streamName, stream)
  stream.lines.push(...lines)
  stream.lines.sort((a, b) => a.at - b.at)
}

/** A group by name, made as Lambda makes it on the first invocation. */
export function ensureGroup (region: Region, name: string, now: number): LogGroupState {
  const known = region.logGroups.get(name)
  if (known) return known
  const group: LogGroupState = {
    name,
    arn: `arn:aws:logs:${region.name}:${region.accountId}:log-group:${name}`,
    class: 'STANDARD',
    retentionInDays: undefined,
    createdAt: now,
    streams: new Map()
  }
  region.logGroups.set(name, group)
  return group
}
