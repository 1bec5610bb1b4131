import type { LogGroupClass } from '@aws-sdk/client-cloudwatch-logs'

export interface LogGroupState {
  name: string
  arn: string
  class: LogGroupClass
  retentionInDays: number | undefined
  createdAt: number
  streams: Map<string, LogStreamState>
}

export interface LogStreamState {
  name: string
  createdAt: number
  /** The written lines, in order of time. */
  lines: LogLine[]
  /** The lines of a running task or of the seeded past, computed for the range that is read. */
  chatter: LogChatter | undefined
}

export interface LogLine { at: number; message: string }

export interface LogChatter {
  /** The voice in `logs/chatter.ts`. */
  voice: string
  everyMs: number
  from: number
  /** Absent while the task runs. */
  until: number | undefined
}
