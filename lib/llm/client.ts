import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import Anthropic, { APIConnectionError, APIError, APIUserAbortError, type ClientOptions } from '@anthropic-ai/sdk'
import { fieldsOf, textIn } from '../../schemas/unknown.js'
import type { ListedModel } from './catalog.js'
import {
  ContextExceeded, fromErrorEvent, ModelError, modelBroken, modelOverloaded, readSetting, readTooLong
} from './errors.js'
import { collect, destinationOf, toHeaders, type Send, type Sent } from './transport.js'

const longestName = 100

/** What is less is no window of a model that we can use, but a mistake. */
const leastTokens = 1_024

const tokensIn = (model: Record<string, unknown>, ...names: string[]): number | null => {
  const found = names.map((name) => model[name]).find((value) => Number.isSafeInteger(value))
  return typeof found === 'number' && found >= leastTokens ? found : null
}

const isSupported = (value: unknown): boolean => fieldsOf(value).supported === true

/** @returns which of the names are supported; null when nothing is said of them */
const supported = (value: unknown, names: readonly string[]): string[] | null => {
  const known = fieldsOf(value)
  return names.some((name) => name in known) ? names.filter((name) => isSupported(known[name])) : null
}

const timeIn = (model: Record<string, unknown>, name: string): string | null => {
  const time = new Date(textIn(model, name) ?? NaN)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

const stages = ['active', 'deprecated', 'retired'] as const

/**
 * Servers of the protocol list their models in more than one form, and leave out what they do not know.
 * @returns what can be used of it; undefined when it has no name
 */
export const readModel = (value: unknown): ListedModel | undefined => {
  const model = fieldsOf(value)
  const id = textIn(model, 'id')
  if (id === undefined || id.length > longestName) return undefined
  const capabilities = fieldsOf(model.capabilities)
  const { effort, thinking, image_input: images } = capabilities
  return {
    id,
    name: (textIn(model, 'display_name') ?? id).slice(0, longestName).toWellFormed(),
    window: tokensIn(model, 'max_input_tokens', 'max_model_len', 'context_length'),
    max_output: tokensIn(model, 'max_tokens'),
    lifecycle: stages.find((stage) => stage === model.lifecycle) ?? null,
    retires_at: timeIn(model, 'retires_at'),
    efforts: supported(effort, ['low', 'medium', 'high', 'xhigh', 'max']),
    thinking: supported(fieldsOf(thinking).types, ['adaptive', 'enabled', 'disabled']),
    images: images === undefined ? null : isSupported(images)
  }
}

export const createClient = (options: ClientOptions): Anthropic => new Anthropic(options)

const fromAnswer = async (answer: IncomingMessage): Promise<Error> => {
  const status = answer.statusCode ?? 0
  if (status >= 200 && status < 300) {
    answer.resume()
    return modelBroken()
  }
  const text = (await collect(answer)).toString()
  return APIError.generate(status, parse(text), text, toHeaders(answer))
}

const parse = (text: string): object | undefined => {
  try {
    const value: object = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

/** A stream of the Messages API's events, and what the provider calls the request. */
export interface Answered { body: Readable, requestId: string | null }

/** Sends the body of one streamed call. @throws what the provider's `toModelError` reads */
export type SendStreamed = (sent: Sent) => Promise<Answered>

/**
 * The client's request for streamed calls is built once, as it differs in nothing but its body, and sent without what
 * the client does around each: its retries, time-outs and reading are ours here, and would cost more than the call.
 */
export const makeSendStreamed = (client: Anthropic, send: Send): SendStreamed => {
  const build = async () => {
    const headers = { 'content-type': 'application/json' }
    const { url, req } = await client.buildRequest({ method: 'post', path: '/v1/messages', headers, stream: true })
    return destinationOf(url, new Headers(req.headers))
  }
  let built: ReturnType<typeof build> | undefined
  return async (sent) => {
    built ??= build()
    const answer = await send(await built, { ...sent, method: 'POST' })
    const isStream = answer.headers['content-type']?.startsWith('text/event-stream')
    if (answer.statusCode !== 200 || !isStream) throw await fromAnswer(answer)
    return { body: answer, requestId: answer.headers['request-id']?.toString() ?? null }
  }
}

const maxModels = 1_000
const listMs = 10_000

/** @returns the models of the provider, in the order in which it lists them. @throws when it gives no list */
export const listModels = async (client: Anthropic): Promise<ListedModel[]> => {
  const models: ListedModel[] = []
  for await (const model of client.models.list({ limit: 100 }, { maxRetries: 0, timeout: listMs })) {
    const read = readModel(model)
    if (read) models.push(read)
    if (models.length >= maxModels) break
  }
  if (models.length === 0) throw new Error('the list is empty')
  return models
}

const countMs = 5_000

/** @returns how many tokens the model's server counts in a text, at no cost. @throws where it does not count */
export const countTokens = async (client: Anthropic, model: string, text: string): Promise<number> => {
  const asked = { model, messages: [{ role: 'user' as const, content: text }] }
  return (await client.messages.countTokens(asked, { maxRetries: 0, timeout: countMs })).input_tokens
}

const spendLimits = new Set(['contract_spend_limit_reached', 'enforced_spend_limit_reached', 'ramp_limit_exceeded'])

const retryAfter = (error: APIError): number | undefined => {
  const ms = Number(error.headers?.get('retry-after-ms'))
  if (ms > 0) return ms
  const seconds = Number(error.headers?.get('retry-after'))
  return seconds > 0 ? seconds * 1_000 : undefined
}

const errorType = (error: APIError): string | undefined => {
  // The body is the provider's: read with care.
  const { error: reason } = fieldsOf(error.error)
  return textIn(reason, 'code') ?? textIn(reason, 'type')
}

const refused = () => new ModelError('model_bad_request', 'The model refused the request.', false)

const fromRefusal = (error: APIError): ModelError => {
  const message = textIn(fieldsOf(error.error).error, 'message') ?? error.message
  const tooLong = readTooLong(message)
  return tooLong ? new ContextExceeded(tooLong) : readSetting(message) ?? refused()
}

/** The provider names the model that it does not have; where the API is missing altogether there is no such body. */
const fromMissing = (error: APIError): ModelError => {
  const { error: reason } = fieldsOf(error.error)
  const isModel = /model/i.test(textIn(reason, 'message') ?? '') || textIn(reason, 'type') === 'not_found_error'
  return isModel
    ? new ModelError('model_unknown', 'The provider does not know this model.', false)
    : new ModelError('model_api_missing', 'There is no Messages API at ANTHROPIC_BASE_URL.', false)
}

const fromStatus = (error: APIError): ModelError => {
  const type = errorType(error)
  const wait = retryAfter(error)
  switch (error.status) {
    case undefined: return fromErrorEvent(type)
    case 401:
    case 403: return new ModelError('model_auth', 'The model provider refused our credentials.', false)
    case 404: return fromMissing(error)
    case 400:
    case 422: return fromRefusal(error)
    case 413: return new ContextExceeded()
    case 429: return type && spendLimits.has(type)
      ? new ModelError('spend_limit_reached', 'The spend limit at the model provider is reached.', false)
      : new ModelError('model_rate_limited', 'The model limits our requests.', true, wait)
    case 503:
    case 529: return modelOverloaded(wait)
    default: return error.status >= 500 || error.status === 408 || error.status === 409
      ? new ModelError('model_unavailable', 'The model provider failed.', true, wait)
      : refused()
  }
}

/** @returns any error of a model call as ours; an abort by the caller passes through */
export const toModelError = (error: unknown): Error => {
  if (error instanceof ModelError || error instanceof APIUserAbortError) return error
  if (error instanceof APIConnectionError) return modelBroken()
  if (error instanceof APIError) return fromStatus(error)
  return modelBroken()
}
