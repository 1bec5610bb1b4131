import { setTimeout as delay } from 'node:timers/promises'
import { AwsError } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import { getOrCreateGroup, writeLines } from '../logs/write.js'
import { RawAnswer } from '../server/http.js'
import { EXECUTIONS, framed, type Execution } from './behaviour.js'
import { logStreamName } from './log-stream.js'
import { badValue, qualifiedArn, requireFunction, requireVersion, type FunctionChoice } from './lookup.js'

const SYNC_LIMIT = 6 * 1024 * 1024
const ASYNC_LIMIT = 1024 * 1024
const LOG_TAIL = 4096

interface Invocation extends FunctionChoice {
  InvocationType: string
  LogType: string
  Payload: string
}

export const invokeOperations = {
  Invoke: operation('lambda:InvokeFunction', invoke, ({ region, input }) => qualifiedArn(region, input))
}

async function invoke (call: Call<Invocation>): Promise<RawAnswer> {
  const { input, region } = call
  const configuration = requireVersion(region, input)
  const payload = readPayload(input)
  requireInvocable(call)
  const headers = { 'x-amz-executed-version': configuration.Version ?? '$LATEST' }
  if (input.InvocationType === 'DryRun') return new RawAnswer(204, {}, '')
  if (input.InvocationType === 'Event') {
    // Lambda answers before the function runs, and so does the sandbox.
    run(call, payload).catch(() => {})
    return new RawAnswer(202, {}, '')
  }
  if (input.InvocationType !== 'RequestResponse') throw badValue(`Unknown invocation type ${input.InvocationType}.`)
  const { execution, lines } = await run(call, payload)
  const result = JSON.stringify(execution.payload) ?? ''
  return new RawAnswer(
    200,
    {
      ...headers,
      'content-type': 'application/json',
      ...(execution.error ? { 'x-amz-function-error': execution.error } : {}),
      ...(input.LogType === 'Tail' ? { 'x-amz-log-result': tail(lines) } : {})
    },
    result
  )
}

async function run (call: Call<Invocation>, payload: unknown): Promise<{ execution: Execution; lines: string[] }> {
  const { input, region, world, requestId } = call
  const { name, behaviour } = requireFunction(region, input)
  const configuration = requireVersion(region, input)
  if (behaviour === 'slow') await delay(world.slowFunctionMs, undefined, { ref: false })
  const now = world.clock.now()
  const at = new Date(now).toISOString()
  const execution = EXECUTIONS[behaviour]({ payload, requestId, configuration, slowMs: world.slowFunctionMs, at })
  const lines = framed({ requestId, configuration }, execution)
  const group = getOrCreateGroup(region, configuration.LoggingConfig?.LogGroup ?? `/aws/lambda/${name}`, now)
  writeLines(group, logStreamName(configuration, now), lines.map((message) => ({ at: now, message })))
  return { execution, lines }
}

function readPayload ({ InvocationType, Payload }: Invocation): unknown {
  const limit = InvocationType === 'Event' ? ASYNC_LIMIT : SYNC_LIMIT
  if (Buffer.byteLength(Payload) > limit) {
    const message = `Request must be smaller than ${limit} bytes for the InvokeFunction operation`
    throw new AwsError('RequestTooLargeException', message, 413)
  }
  if (Payload === '') return {}
  try {
    return JSON.parse(Payload)
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    throw new AwsError('InvalidRequestContentException', `Could not parse request body into json: ${reason}`)
  }
}

function requireInvocable ({ region, input, now }: Call<Invocation>): void {
  const state = requireFunction(region, input)
  const latest = state.versions[0]
  if (state.reservedConcurrency === 0) {
    state.throttledAt = [...state.throttledAt ?? [], now]
    const fields = { Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded' }
    throw new AwsError('TooManyRequestsException', 'Rate Exceeded.', 429, { fields })
  }
  if (latest?.State === 'Pending') {
    const message =
      'The operation cannot be performed at this time. The function is currently in the following state: Pending'
    throw new AwsError('ResourceConflictException', message, 409)
  }
}

/** The last 4 KB; it may begin in the middle of a line. */
function tail (lines: string[]): string {
  return Buffer.from(lines.join('')).subarray(-LOG_TAIL).toString('base64')
}
