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
  /** What was written line by line, in order of time. */
  lines: LogLine[]
  /** What a running task or a seeded past writes by itself: computed for the range that is read. */
  chatter: LogChatter | undefined
}

export interface LogLine { at: number; message: string }

export interface LogChatter {
  /** Which voice of `logs/chatter.ts` speaks. */
  voice: string
  everyMs: number
  from: number
  /** Absent while the task runs. */
  until: number | undefined
}
