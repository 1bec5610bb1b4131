import type { InvokeCommandOutput, Lambda } from '@aws-sdk/client-lambda'
import { v7 as uuid } from 'uuid'
import { ApiError, PayloadTooLarge } from '../../../../schemas/errors.js'
import type {
  InvokeFacts, InvokeFunction, InvokeMode, InvokeResult, ServerlessFunction
} from '../../../../schemas/infrastructure/functions.js'
import { InvocationLimited, InvocationUnknown, type ActingDeps } from '../errors.js'
import {
  asMissing, describeFunctionNow, functionReads, idOfFunction, routingOf, type FunctionRef
} from './resolve-function.js'
import { targetOfFunction } from '../write-ecs.js'
import { awsDetailOf } from '../../../../lib/aws/errors.js'
import { allow, functionArn, type Statement } from '../../../../lib/aws/sessions.js'
import { withTarget } from '../../../../lib/durable/target-claim.js'
import { requireExpected } from '../../../../lib/tools/digest.js'
import { fieldsOf, textIn } from '../../../../schemas/unknown.js'

const types = { sync: 'RequestResponse', async: 'Event', dry_run: 'DryRun' } as const
const limits: Record<InvokeMode, number> = { sync: 6_291_456, async: 1_048_576, dry_run: 6_291_456 }
const graceMs = 5_000
const longestMs = 60_000

const encode = ({ payload, mode }: InvokeFunction): Uint8Array | undefined => {
  if (payload === undefined) return undefined
  const bytes = Buffer.from(JSON.stringify(payload))
  if (bytes.length > limits[mode]) throw PayloadTooLarge(`With mode ${mode} AWS takes ${limits[mode]} bytes at most`)
  return bytes
}

/** Once the request may have arrived, a failure says nothing of whether the function ran. */
const lost = new Set(['aws_outcome_unknown', 'aws_error'])
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

const asOutcome = (mode: InvokeMode) => (error: unknown): never => {
  if (!(error instanceof ApiError)) throw error
  const [aws, reason] = [awsDetailOf(error), textIn(error.members, 'reason')]
  if (error.code === 'aws_throttled') throw InvocationLimited(reason ?? error.message, { ...error.members })
  if (mode !== 'dry_run' && lost.has(error.code) && !neverSent.has(aws.code ?? '')) {
    throw InvocationUnknown(undefined, { ...error.members })
  }
  return asMissing(error)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const readPayload = (bytes: Uint8Array | undefined) => {
  const none = { payload: null, payload_text: null, payload_base64: null }
  if (!bytes || bytes.length === 0) return none
  const buffer = Buffer.from(bytes)
  const text = buffer.toString('utf8')
  const payload = parse(text)
  if (payload !== undefined) return { ...none, payload }
  const isText = !text.includes('\uFFFD')
  return isText ? { ...none, payload_text: text } : { ...none, payload_base64: buffer.toString('base64') }
}

const textOf = (value: unknown): string | null => typeof value === 'string' ? value : null

const readError = (kind: string | undefined, payload: unknown): InvokeResult['function_error'] => {
  if (kind === undefined) return null
  // A failed function answers with an object of this form; a custom runtime may answer otherwise.
  const { errorType, errorMessage, trace, stackTrace } = fieldsOf(payload)
  const lines = trace ?? stackTrace
  return {
    kind,
    type: textOf(errorType),
    message: textOf(errorMessage),
    trace: Array.isArray(lines) ? lines.map(String) : null
  }
}

const statusOf = (mode: InvokeMode, answer: InvokeCommandOutput): InvokeResult['status'] => {
  if (mode === 'async') return 'accepted'
  if (mode === 'dry_run') return 'validated'
  return answer.FunctionError === undefined ? 'ok' : 'function_error'
}

const billedOf = (tail: string | null): number | null => {
  const match = /Billed Duration: (\d+) ms/.exec(tail ?? '')
  return match?.[1] ? Number(match[1]) : null
}

/** Milliseconds: a little longer than the function's own time-out; the SDK's default is too short for long ones. */
const callTimeout = ({ timeout_s: seconds }: ServerlessFunction, { mode }: InvokeFunction): number =>
  mode === 'sync' ? Math.min(longestMs, seconds * 1_000 + graceMs) : 15_000

/** @returns what of a function a run is approved on: what the qualifier means */
export const invokeFacts = (found: ServerlessFunction, qualifier: string | undefined): InvokeFacts => {
  const { version, revision_id, code_sha256 } = found
  return { version, revision_id, code_sha256, routing: routingOf(found, qualifier) }
}

const send = (lambda: Lambda, ref: FunctionRef, input: InvokeFunction, requestTimeout: number) => lambda.invoke({
  FunctionName: ref.name,
  Qualifier: input.qualifier,
  InvocationType: types[input.mode],
  LogType: input.mode === 'sync' && input.log_tail ? 'Tail' : 'None',
  Payload: encode(input)
}, { requestTimeout })

const sessionOf = (ref: FunctionRef, { qualifier }: InvokeFunction): Statement[] => [
  ...functionReads(ref, qualifier), allow('lambda:InvokeFunction', functionArn(ref, ref.name, qualifier))
]

/**
 * Reads the function, compares it, and begins the run as the only one that does something with it. Once the run is on
 * its way the claim ends: whoever changes the function reads it first, and arrives later.
 */
const begin = (deps: ActingDeps, ref: FunctionRef, input: InvokeFunction, lambda: Lambda) =>
  withTarget(deps, targetOfFunction(ref), async (claim) => {
    const found = await describeFunctionNow(lambda, ref, input.qualifier)
    requireExpected(input.expected, invokeFacts(found, input.qualifier))
    claim.requireHeld()
    const began = performance.now()
    const answer = send(lambda, ref, input, callTimeout(found, input))
    // It may fail before the claim is released and anybody waits for it.
    answer.catch(() => undefined)
    // In an object: the claim does not wait for the answer.
    return { began, answer }
  })

/**
 * Runs a function once: the call is never repeated, even when its answer is lost. A function that fails is an answer.
 * @throws invocation_outcome_unknown when it may or may not have run; invocation_limited; payload_too_large;
 * state_changed, target_busy
 */
export const invokeFunction = async (deps: ActingDeps, ref: FunctionRef, input: InvokeFunction):
Promise<InvokeResult> => {
  encode(input)
  const { began, answer } = await deps.aws.write('lambda', ref, sessionOf(ref, input), async (lambda) => {
    const { began, answer } = await begin(deps, ref, input, lambda)
    return { began, answer: await answer.catch(asOutcome(input.mode)) }
  })
  const tail = answer.LogResult === undefined ? null : Buffer.from(answer.LogResult, 'base64').toString('utf8')
  const payload = readPayload(answer.Payload)
  return {
    id: uuid(),
    function_id: idOfFunction(ref),
    qualifier: input.qualifier ?? '$LATEST',
    mode: input.mode,
    status: statusOf(input.mode, answer),
    status_code: answer.StatusCode ?? 0,
    executed_version: answer.ExecutedVersion ?? null,
    ...payload,
    function_error: readError(answer.FunctionError, payload.payload),
    log_tail: tail,
    duration_ms: Math.round(performance.now() - began),
    billed_ms: billedOf(tail),
    aws_request_id: answer.$metadata.requestId ?? null
  }
}

/** Limits the concurrent invocations of an account, so that a caller cannot use up the account's own limit. */
export class InvocationSlots {
  readonly #taken = new Map<string, number>()

  constructor (private readonly perAccount: number) {}

  /** @throws invocation_limited at once: a call that waited could time out and still run */
  async with<T> (account: string, work: () => Promise<T>): Promise<T> {
    const taken = this.#taken.get(account) ?? 0
    if (taken >= this.perAccount) {
      throw InvocationLimited(`${taken} invocations in this account have not answered yet`)
        .withHeaders({ 'retry-after': '1' })
    }
    this.#taken.set(account, taken + 1)
    try {
      return await work()
    } finally {
      this.#free(account)
    }
  }

  #free (accountId: string): void {
    const left = (this.#taken.get(accountId) ?? 1) - 1
    if (left > 0) this.#taken.set(accountId, left)
    else this.#taken.delete(accountId)
  }
}
