import type { FastifyInstance } from 'fastify'
import { setModelConnection } from '../../../../db/account/workspaces.js'
import type { ConnectedModel, ReservedCall } from '../../../../lib/llm/connected-model.js'
import { ModelError } from '../../../../lib/llm/errors.js'
import { DayBudgetReached } from '../../../../lib/llm/gate.js'
import { externalIdOf, readServiceAccount, type ConnectionParts } from '../../../../lib/llm/model-connection.js'
import type { Charge } from '../../../../lib/llm/turn.js'
import { OutboundError } from '../../../../lib/outbound/errors.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { startTimer } from '../../../../lib/telemetry/events.js'
import {
  ModelAddressPrivate, ModelByEnvironment, ModelConnectionInvalid, type ConnectModel, type ModelConnection,
  ModelApiMissing, ModelBusy, ModelFailed, ModelKeyRefused, ModelRefused, ModelSpent, ModelUnknown, ModelUnreachable,
  type ModelTest
} from '../../../../schemas/account/model-connection.js'
import { ModelPriceUnknown } from '../../../../schemas/model-budget.js'
import { messageOf } from '../../../../schemas/unknown.js'

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

type ConnectionApp = Pick<FastifyInstance, 'config' | 'db' | 'home' | 'llm' | 'outbound' | 'secrets' | 'workspaces'>

const invalid = (field: keyof ConnectModel, message: string) =>
  ModelConnectionInvalid(message, { errors: [{ pointer: `/${field}`, code: 'model_connection_invalid', message }] })

/** What each provider needs, beside the model. */
const needed: Record<ConnectModel['provider'], readonly ('address' | 'region' | 'project')[]> = {
  anthropic: [], compatible: ['address'], bedrock: ['region'], vertex: ['region', 'project']
}

/** What describes no model of the provider: it would mislead whoever reads it. */
const foreign: Record<ConnectModel['provider'], readonly (keyof ConnectModel)[]> = {
  anthropic: ['address', 'region', 'project', 'role_arn'],
  compatible: ['region', 'project', 'role_arn'],
  bedrock: ['project'],
  vertex: ['role_arn']
}

const words: Partial<Record<keyof ConnectModel, string>> = {
  address: 'an address', region: 'a region', project: 'a project', role_arn: 'a role of AWS', api_key: 'a key'
}

const requireParts = (parts: ConnectionParts): void => {
  const { provider, api_key: key, role_arn: role } = parts
  for (const field of needed[provider]) {
    if (parts[field] === undefined) throw invalid(field, `${provider} needs ${words[field]}`)
  }
  for (const field of foreign[provider]) {
    if (parts[field] !== undefined) throw invalid(field, `${provider} takes no ${words[field]?.replace(/^an? /, '')}`)
  }
  if (provider === 'anthropic' && key === undefined) throw invalid('api_key', 'anthropic needs a key')
  if (key !== undefined && role !== undefined) throw invalid('role_arn', 'Name a key or a role, not both')
  if (provider === 'vertex' && key !== undefined && !readServiceAccount(key)) {
    throw invalid('api_key', 'The key of a service account is the whole JSON file, with client_email and private_key')
  }
  if (provider !== 'vertex' && key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw invalid('api_key', 'A key has no spaces and no line breaks')
  }
}

/** The credentials of the process are its operator's: only the admins of the installation may spend them. */
const requireCredentials = ({ home }: ConnectionApp, { workspace_id: id }: Principal, parts: ConnectionParts): void => {
  const { provider, api_key: key, role_arn: role } = parts
  const isAmbient = (provider === 'bedrock' || provider === 'vertex') && key === undefined && role === undefined
  if (isAmbient && id !== home.workspace_id) throw invalid('api_key', `${provider} needs a key here`)
}

const requirePublic = ({ outbound }: ConnectionApp, { address }: ConnectionParts): void => {
  if (address === undefined) return
  try {
    outbound.check(address)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const message = messageOf(error)
    throw ModelAddressPrivate(message, { errors: [{ pointer: '/address', code: 'model_address_private', message }] })
  }
}

/** A stored key goes where it was entered for, and nowhere else. */
const keepKey = (app: ConnectionApp, { workspace_id: id }: Principal, input: ConnectModel): ConnectionParts => {
  if (input.api_key !== undefined || input.role_arn !== undefined) return input
  const stored = app.llm.storedOf(id)
  const isSame = stored?.provider === input.provider && stored.address === input.address
  return isSame && stored.api_key !== undefined ? { ...input, api_key: stored.api_key } : input
}

/**
 * @returns what is described, whole and with the key that stays
 * @throws model_connection_invalid, model_address_private, model_price_unknown
 */
export const readDescription = (app: ConnectionApp, principal: Principal, input: ConnectModel): ConnectionParts => {
  const parts = keepKey(app, principal, input)
  requireParts(parts)
  requireCredentials(app, principal, parts)
  requirePublic(app, parts)
  const message = 'The price of this model is not on the provider\'s list: enter what a million tokens costs'
  if (parts.price === undefined && !app.config.prices.has(parts.model)) {
    throw ModelPriceUnknown(message, { errors: [{ pointer: '/price', code: 'model_price_unknown', message }] })
  }
  return parts
}

/** @throws model_by_environment */
export const requireConnectable = ({ config }: Pick<ConnectionApp, 'config'>): void => {
  if (config.provider !== undefined) throw ModelByEnvironment()
}

/** Stores it encrypted; every instance asks it from its next look at the workspaces. */
export const storeConnection = async (app: ConnectionApp, { workspace_id: id, user_id }: Principal, parts: ConnectionParts):
Promise<void> => {
  const stored = { ...parts, connected_at: new Date().toISOString(), connected_by: user_id }
  const encrypted = app.secrets.encrypt(`workspace|${id}|model_connection`, JSON.stringify(stored))
  await app.db.transaction().execute((trx) => setModelConnection(trx, id, encrypted))
  await app.workspaces.reread()
}

export const forgetConnection = async (app: ConnectionApp, { workspace_id: id }: Principal): Promise<void> => {
  await app.db.transaction().execute((trx) => setModelConnection(trx, id, null))
  await app.workspaces.reread()
}

const answersOf = { provider: 'model', stand_in: 'guided', nobody: 'nothing' } as const

const storedOf = (app: ConnectionApp, { workspace_id: id, role }: Principal): ModelConnection['stored'] => {
  const stored = role === 'admin' ? app.llm.storedOf(id) : undefined
  if (!stored) return null
  const { api_key: key, connected_by: _, ...parts } = stored
  return { ...parts, has_api_key: key !== undefined }
}

const providerOf = (app: ConnectionApp, workspaceId: string): ModelConnection['provider'] => {
  const { provider } = app.config
  if (!provider) return app.llm.storedOf(workspaceId)?.provider ?? null
  return provider.options.kind === 'anthropic' && !provider.isOriginal ? 'compatible' : provider.options.kind
}

/** @returns what answers in the workspace, and to admins what is stored */
export const showConnection = (app: ConnectionApp, principal: Principal): ModelConnection => {
  const { workspace_id: id } = principal
  const by = app.llm.of(id)
  const isOwn = by !== app.llm.installed
  const model = by.answerer === 'provider' ? by.modelOf(id) : null
  return {
    answers: answersOf[by.answerer],
    source: by.answerer === 'provider' ? isOwn ? 'workspace' : 'environment' : null,
    provider: by.answerer === 'provider' ? providerOf(app, id) : null,
    model,
    price: model === null ? null : by.priceOf(model),
    external_id: externalIdOf(id),
    stored: storedOf(app, principal)
  }
}
