import { setTimeout as sleep } from 'node:timers/promises'
import type { Static, TSchema } from '@sinclair/typebox'
import { Ajv, type ValidateFunction } from 'ajv'
import type { ModelCallRow, Payer, Purpose } from '../../db/model-spend.js'
import { fieldsOf } from '../../schemas/unknown.js'
import { mayHoldSecret, redactText } from '../security/redaction.js'
import { type ModelCall, startTimer } from '../telemetry/events.js'
import { BudgetExceeded, type CallBudget, type Reservation } from './budget.js'
import type { ModelRequest } from './encode-request.js'
import { ModelError } from './errors.js'
import type { Llm } from './llm.js'
import { tokensIn, type Charge, type Turn, type Usage } from './turn.js'

/** What the grammar of structured outputs cannot express: checked by us when the answer is there. */
const unsupported = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'minimum', 'maximum',
  'pattern', 'format', 'default', '$id'])

/** @returns the schema as a model is given it; limits stand in the descriptions */
const toGrammar = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(toGrammar)
  if (typeof schema !== 'object' || schema === null) return schema
  const { maxLength, maxItems, description } = fieldsOf(schema)
  const limit = typeof maxLength === 'number'
    ? `At most ${maxLength} characters`
    : typeof maxItems === 'number' ? `At most ${maxItems} items` : undefined
  const notes = [description, limit].filter((note) => note !== undefined)
  const kept = Object.entries(schema).filter(([key, value]) => !unsupported.has(key) || typeof value === 'object')
    .filter(([key]) => key !== 'description')
    .map(([key, value]) => [key, toGrammar(value)])
  return { ...Object.fromEntries(kept), ...(notes.length > 0 && { description: notes.join('. ') }) }
}

/** One question to the model, answered by JSON that fits the schema. */
export interface Prompt<S extends TSchema = TSchema> {
  /** Rules that hold for every question of one piece of work. */
  system: string
  /** What the work is made of, fenced as data: the same for all questions too, so that the prompt cache holds both. */
  material: string
  task: string
  schema: S
  maxTokens: number
}

/** @throws ModelError: of the provider, or output_truncated, model_refused, schema_invalid; BudgetExceeded */
export type AskModel = <S extends TSchema>(prompt: Prompt<S>) => Promise<Static<S>>

/** @returns what the answer is worth; undefined where it is none. `isCut`: it ended at its limit */
export type Reader<T> = (text: string, isCut: boolean) => T | undefined

/**
 * Asks for an answer that the caller reads, also a cut one.
 * @throws ModelError: of the provider, or model_refused, schema_invalid; BudgetExceeded
 */
export type ReadModel = <T>(prompt: Prompt, read: Reader<T>) => Promise<T>

/** What a call was charged, with its price. */
export type Spent = Usage & { cost_usd_micros: number }

export interface AskOptions {
  model: string
  signal: AbortSignal
  budget: CallBudget
  /** What has the form of a credential is not sent. */
  redact: boolean
  /** After so long without a sign of life the call is given up. */
  idleMs: number
  retryBaseMs: number
  /** Whose budget of the day pays, and for what. */
  payer: Payer
  purpose: Purpose
  /** Called for every call that was charged, whatever its answer was worth. */
  onSpend: (spent: Spent) => void | Promise<void>
  /** Called for every call, for telemetry. */
  onCall?: (call: ModelCall) => void
}

type Model = Pick<Llm, 'reserve' | 'stream' | 'toRow' | 'record'>

const maxAttempts = 3

const failed = (code: string, message: string, retryable = false) => new ModelError(code, message, retryable)

/** A cut answer is none, unless the caller reads as far as it goes. */
const requireEnded = ({ stop_reason: reason }: Turn, wanted: number, room: number, mayBeCut: boolean): void => {
  if (reason === 'end_turn' || (reason === 'max_tokens' && mayBeCut && room >= wanted)) return
  if (reason === 'refusal') throw failed('model_refused', 'The model refused to answer.')
  if (reason === 'max_tokens' && room < wanted) throw new BudgetExceeded('What was left cut the answer of the model')
  if (reason === 'max_tokens') throw failed('output_truncated', 'The answer of the model was cut at its limit.')
  if (reason === 'model_context_window_exceeded') throw failed('context_exceeded', 'The inputs are too long together.')
  throw failed('schema_invalid', 'The model did not end its answer.', true)
}

const ajv = new Ajv({ strict: false })
const compiled = new WeakMap<TSchema, ValidateFunction>()

const fits = <S extends TSchema>(schema: S, value: unknown): value is Static<S> => {
  const known = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, known)
  return known(value)
}

/** Text is kept as it can be stored: without NUL and lone surrogates. */
const clean = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value

const textOf = ({ parts }: Turn): string => parts.map((part) => part.type === 'text' ? String(part.text) : '').join('')

const parse = <S extends TSchema>(text: string, { schema }: Prompt<S>): Static<S> => {
  let value: unknown
  try {
    value = JSON.parse(text, clean)
  } catch {
    throw failed('schema_invalid', 'The answer of the model is not JSON.', true)
  }
  if (!fits(schema, value)) throw failed('schema_invalid', 'The answer of the model does not fit.', true)
  return value
}

/** The prompt cache is a prefix: rules, then the material, then what differs from question to question. */
const toRequest = ({ system, material, task, schema }: Prompt, model: string, maxTokens: number):
ModelRequest => ({
  model,
  system,
  tools: [],
  max_tokens: maxTokens,
  output_schema: fieldsOf(toGrammar(schema)),
  messages: [{
    role: 'user',
    content: [
      { type: 'text', text: material, cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'text', text: task }
    ]
  }]
})

const suspicious = mayHoldSecret()
export const redacted = (text: string): string => suspicious.test(text) ? redactText(text) : text

const withoutSecrets = <S extends TSchema>({ system, material, task, ...rest }: Prompt<S>): Prompt<S> =>
  ({ ...rest, system: redacted(system), material: redacted(material), task: redacted(task) })

interface Paid { usage: Usage, row: ModelCallRow }

/** Gathers what one call was, until it is reported. */
const watchCall = ({ onCall }: AskOptions, model: string) => {
  const clock = startTimer()
  const known: Pick<ModelCall, 'first_token_ms' | 'stop_reason' | 'error'> =
    { first_token_ms: null, stop_reason: null, error: null }
  return {
    onText: (): void => { known.first_token_ms ??= clock.passed() },
    onTurn: ({ stop_reason }: Turn): void => { known.stop_reason = stop_reason },
    onError: (error: unknown): void => { known.error = error instanceof ModelError ? error.code : 'aborted' },
    report: (paid: Paid | undefined): void => onCall?.({
      model: paid?.row.model ?? model,
      streamed: true,
      ...clock.times(),
      ...known,
      usage: paid?.usage ?? null,
      cost_usd_micros: paid?.row.cost_usd_micros ?? 0
    })
  }
}

interface Reserved { call: Awaited<ReturnType<Llm['reserve']>>, room: Reservation, wanted: number }

/** The work's own budget first, then that of the person's day. */
const reserve = async (llm: Model, prompt: Prompt, { model, signal, budget, payer }: AskOptions): Promise<Reserved> => {
  const wanted = prompt.maxTokens
  const { system, material, task } = prompt
  const room = await budget.reserve(tokensIn(system.length + material.length + task.length), wanted, signal)
  try {
    return { call: await llm.reserve(payer, toRequest(prompt, model, room.maxTokens), signal), room, wanted }
  } catch (error) {
    room.settle(undefined)
    throw error
  }
}

/** Records what the call was charged, and gives back what was reserved for it. */
const settle = async (llm: Model, { call, room }: Reserved, paid: Paid | undefined,
  { payer, purpose, onSpend }: AskOptions): Promise<void> => {
  const { cost_usd_micros = 0 } = paid?.row ?? {}
  room.settle(paid?.usage, cost_usd_micros)
  try {
    if (paid) await llm.record(payer, purpose, paid.row)
  } finally {
    call.hold.release(cost_usd_micros)
  }
  if (paid) await onSpend({ ...paid.usage, cost_usd_micros })
}

interface Reading<T> { mayBeCut: boolean, read: Reader<T> }

const askOnce = async <T>(llm: Model, prompt: Prompt, options: AskOptions, { mayBeCut, read }: Reading<T>): Promise<T> => {
  const { signal, idleMs } = options
  const reserved = await reserve(llm, prompt, options)
  const { call, room, wanted } = reserved
  const watch = watchCall(options, call.model)
  let paid: Paid | undefined
  const onCharge = (charge: Charge) => { paid = { usage: charge.usage, row: llm.toRow(charge, call) } }
  try {
    const turn = await llm.stream(call, { signal, idleMs, onText: watch.onText, onBroken: onCharge })
    onCharge(turn)
    watch.onTurn(turn)
    requireEnded(turn, wanted, room.maxTokens, mayBeCut)
    const answer = read(textOf(turn), turn.stop_reason === 'max_tokens')
    if (answer === undefined) throw failed('schema_invalid', 'The answer of the model does not fit.', true)
    return answer
  } catch (error) {
    watch.onError(error)
    throw error
  } finally {
    watch.report(paid)
    await settle(llm, reserved, paid, options)
  }
}

const pauseMs = ({ retryAfterMs }: ModelError, base: number, attempt: number): number =>
  Math.min(60_000, Math.max(retryAfterMs ?? 0, base * 4 ** (attempt - 1)))

/** Asks three times at most where a repetition may help. */
const askOften = async <T>(llm: Model, asked: Prompt, options: AskOptions, reading: Reading<T>): Promise<T> => {
  const prompt = options.redact ? withoutSecrets(asked) : asked
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(llm, prompt, options, reading)
    } catch (error) {
      if (!(error instanceof ModelError) || !error.retryable || attempt === maxAttempts) throw error
      await sleep(pauseMs(error, options.retryBaseMs, attempt), undefined, { signal: options.signal })
    }
  }
}

export const makeAsk = (llm: Model, options: AskOptions): AskModel => <S extends TSchema>(prompt: Prompt<S>) =>
  askOften<Static<S>>(llm, prompt, options, { mayBeCut: false, read: (text) => parse(text, prompt) })

export const makeReader = (llm: Model, options: AskOptions): ReadModel => (prompt, read) =>
  askOften(llm, prompt, options, { mayBeCut: true, read })
