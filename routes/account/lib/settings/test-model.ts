import type { FastifyInstance } from 'fastify'
import { DayBudgetReached } from '../../../../lib/llm/gate.js'
import type { ConnectedModel, ReservedCall } from '../../../../lib/llm/connected-model.js'
import { ModelError } from '../../../../lib/llm/errors.js'
import type { ConnectionParts } from '../../../../lib/llm/model-connection.js'
import type { Charge } from '../../../../lib/llm/turn.js'
import { OutboundError } from '../../../../lib/outbound/errors.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { startTimer } from '../../../../lib/telemetry/timer.js'
import {
  ModelAddressPrivate, ModelApiMissing, ModelBusy, ModelFailed, ModelKeyRefused, ModelRefused, ModelSpent, ModelUnknown,
  ModelUnreachable, type ModelTest
} from '../../../../schemas/account/model-connection.js'

type App = Pick<FastifyInstance, 'llm'>

const timeoutMs = 20_000
const longest = 400

const request = (model: string) => ({
  model,
  system: 'You are being tested. Answer in one short sentence.',
  max_tokens: 200,
  tools: [],
  messages: [{ role: 'user' as const, content: 'Say hello, and name yourself.' }]
})

/** Clients wrap what the network says; ours lies beneath. */
const findCause = (error: unknown): OutboundError | undefined => {
  if (error instanceof OutboundError) return error
  return error instanceof Error && error.cause !== undefined ? findCause(error.cause) : undefined
}

const at = (pointer: string, code: string, message: string) => ({ errors: [{ pointer, code, message }] })

const refusals: Record<string, (error: ModelError) => Error> = {
  model_auth: ({ message }) => ModelKeyRefused(message, at('/api_key', 'model_key_refused', message)),
  model_unknown: ({ message }) => ModelUnknown(message, at('/model', 'model_unknown', message)),
  model_api_missing: () => ModelApiMissing(undefined, at('/address', 'model_api_missing', 'No Messages API answers here')),
  spend_limit_reached: ({ message }) => ModelSpent(message),
  model_rate_limited: () => ModelBusy(),
  model_overloaded: () => ModelBusy(),
  model_stream_stalled: () => ModelUnreachable(`It gave no answer within ${timeoutMs / 1_000} s`),
  model_unavailable: () => ModelFailed(),
  model_stream_broken: () => ModelUnreachable()
}

/** @returns why it did not answer, in words of its own for each reason */
const toProblem = (error: unknown): unknown => {
  const outbound = findCause(error)
  if (outbound?.code === 'url_not_allowed') {
    return ModelAddressPrivate(outbound.message, at('/address', 'model_address_private', outbound.message))
  }
  if (error instanceof DayBudgetReached) return ModelSpent('The budget of the day in this workspace is reached')
  if (!(error instanceof ModelError)) return error
  return refusals[error.code]?.(error) ?? ModelRefused(error.message)
}

const settle = async ({ llm }: App, call: ReservedCall, charge: Charge | undefined): Promise<number> => {
  const row = charge && llm.toRow(charge, call)
  try {
    if (row) await llm.record(call.hold.payer, { purpose: 'test' }, row)
  } finally {
    call.hold.release(row?.cost_usd_micros ?? 0)
  }
  return row?.cost_usd_micros ?? 0
}

const ask = async (app: App, { workspace_id, user_id }: Principal, by: ConnectedModel): Promise<ModelTest> => {
  const model = by.modelOf(workspace_id)
  const signal = AbortSignal.timeout(timeoutMs)
  const call = await by.reserve({ workspace_id, user_id }, request(model), signal)
  const clock = startTimer()
  let charge: Charge | undefined
  let text = ''
  try {
    const turn = await by.stream(call, {
      signal,
      idleMs: timeoutMs,
      onText: (part) => { text += part },
      onBroken: (broken) => { charge = broken }
    })
    charge = turn
    const took = clock.passed()
    const { usage } = turn
    return {
      model: turn.model ?? model,
      reply: text.slice(0, longest).toWellFormed(),
      took_ms: Math.round(took),
      input_tokens: usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens,
      output_tokens: usage.output_tokens,
      cost: { amount: ((by.cost(usage, model) ?? 0) / 1_000_000).toFixed(6), currency: 'USD' },
      price: by.priceOf(model) ?? { input: 0, output: 0 }
    }
  } finally {
    await settle(app, call, charge)
  }
}

/**
 * Asks a model one short question, at its price.
 * @throws model_address_private, model_unreachable, model_api_missing, model_key_refused, model_unknown, model_refused,
 *   model_spend_limit, model_busy, model_failed
 */
export const testModel = async (app: App, principal: Principal, parts: ConnectionParts): Promise<ModelTest> => {
  try {
    return await ask(app, principal, app.llm.describe(principal.workspace_id, parts))
  } catch (error) {
    throw toProblem(error)
  }
}
