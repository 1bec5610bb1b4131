import type { Region } from '../core/world.js'
import type { LogGroupState, LogLine } from './state.js'

/** Appends lines to a stream, which is created if missing. */
export function writeLines (group: LogGroupState, streamName: string, lines: LogLine[]): void {
  const stream = group.streams.get(streamName) ??
    { name: streamName, createdAt: lines[0]?.at ?? 0, lines: [], chatter: undefined }
  group.streams.set(streamName, stream)
  stream.lines.push(...lines)
  stream.lines.sort((a, b) => a.at - b.at)
}

/** Returns a group by name, and creates it if missing, as Lambda does on the first invocation. */
export function getOrCreateGroup (region: Region, name: string, now: number): LogGroupState {
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
