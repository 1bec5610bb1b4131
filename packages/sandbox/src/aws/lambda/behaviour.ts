import type { FunctionConfiguration } from '@aws-sdk/client-lambda'
import type { Wire } from '../core/wire.js'
import type { Behaviour } from './state.js'

export interface Execution {
  payload: unknown
  /** Set when the function failed: to the caller that is still HTTP 200. */
  error?: 'Unhandled'
  lines: string[]
  /** The duration in the function's REPORT line. */
  durationMs: number
}

interface Event {
  payload: unknown
  requestId: string
  configuration: Wire<FunctionConfiguration>
  slowMs: number
  at: string
}

/** The result and the log lines of a function. */
export const EXECUTIONS: Record<Behaviour, (event: Event) => Execution> = {
  ok: ({ payload }) => ({
    payload: { statusCode: 200, body: JSON.stringify({ ok: true, received: size(payload) }) },
    lines: ['INFO handling event', 'INFO done'],
    durationMs: 42
  }),
  echo: ({ payload }) => ({ payload, lines: [`INFO ${JSON.stringify(payload) ?? 'null'}`], durationMs: 3 }),
  slow: ({ slowMs }) => ({
    payload: { exported: 1204 },
    lines: ['INFO export started', 'INFO export done'],
    durationMs: slowMs
  }),
  fail: () => ({
    payload: {
      errorType: 'TypeError',
      errorMessage: "Cannot read properties of undefined (reading 'total')",
      trace: [
        "TypeError: Cannot read properties of undefined (reading 'total')",
        '    at summarize (/var/task/report.js:41:22)',
        '    at Runtime.handler (/var/task/index.js:12:10)'
      ]
    },
    error: 'Unhandled',
    lines: [
      'INFO building the nightly report',
      "ERROR Invoke Error TypeError: Cannot read properties of undefined (reading 'total')"
    ],
    durationMs: 118
  }),
  crash: ({ requestId }) => ({
    payload: {
      errorType: 'Runtime.ExitError',
      errorMessage: `RequestId: ${requestId} Error: Runtime exited with error: exit status 1`
    },
    error: 'Unhandled',
    lines: [`RequestId: ${requestId} Error: Runtime exited with error: exit status 1`, 'Runtime.ExitError'],
    durationMs: 61
  }),
  timeout: ({ configuration, requestId, at }) => {
    const text = `Task timed out after ${(configuration.Timeout ?? 3).toFixed(2)} seconds`
    return {
      payload: { errorType: 'Sandbox.Timedout', errorMessage: `${at} ${requestId} ${text}` },
      error: 'Unhandled',
      lines: [`${at} ${requestId} ${text}`],
      durationMs: (configuration.Timeout ?? 3) * 1000
    }
  }
}

/** The lines of an invocation, as Lambda frames them. */
export function framed (
  { requestId, configuration }: Pick<Event, 'requestId' | 'configuration'>,
  { lines, durationMs }: Execution
): string[] {
  const report = [
    `REPORT RequestId: ${requestId}`,
    `Duration: ${durationMs.toFixed(2)} ms`,
    `Billed Duration: ${Math.ceil(durationMs)} ms`,
    `Memory Size: ${configuration.MemorySize ?? 128} MB`,
    'Max Memory Used: 74 MB\t'
  ]
  return [
    `START RequestId: ${requestId} Version: ${configuration.Version ?? '$LATEST'}\n`,
    ...lines.map((line) => `${line}\n`),
    `END RequestId: ${requestId}\n`,
    `${report.join('\t')}\n`
  ]
}

function size (payload: unknown): number {
  return JSON.stringify(payload)?.length ?? 0
}
