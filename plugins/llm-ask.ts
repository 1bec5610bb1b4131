import { setTimeout as sleep } from 'node:timers/promises'
import type { TSchema } from '@sinclair/typebox'
import { Ajv, type ValidateFunction } from 'ajv'
import { startClock } from './fact-clock.js'
import type { Llm } from './llm.js'
import { BudgetExceeded, type CallBudget } from './llm-budget.js'
import { ModelError } from './llm-errors.js'
import { toGrammar } from './llm-grammar.js'
import type { Turn, Usage } from './llm-turn.js'
import { mayHoldSecret, redactText } from './redaction.js'
import type { ModelCall } from './telemetry.js'

/** One question to the model, answered by JSON that fits the schema. */
export interface Prompt {
  /** Rules that hold for every question of one piece of work. */
  system: string
  /** What the work is made of, fenced as data: the same for all questions too, so that the prompt cache holds both. */
  material: string
  task: string
  schema: TSchema
  maxTokens: number
}

/** @throws ModelError: of the provider, or output_truncated, model_refused, schema_invalid; BudgetExceeded */
export type AskModel = (prompt: Prompt) => Promise<unknown>

/** A call that is over; what it cost is for whoever knows the price. */
export type AskedCall = Omit<ModelCall, 'cost_usd_micros'>

export interface AskOptions {
  model: string
  signal: AbortSignal
  budget: CallBudget
  /** What has the form of a credential is not sent. */
  redact: boolean
  /** After so long without a sign of life the call is given up. */
  idleMs: number
  retryBaseMs: number
  /** Called for every call that was charged, whatever its answer was worth. */
  onSpend: (usage: Usage) => void | Promise<void>
  /** Called for every call, for telemetry. */
  onCall?: (call: AskedCall) => void
}

const maxAttempts = 3

const failed = (code: string, message: string, retryable = false) => new ModelError(code, message, retryable)

/** A cut answer is none: its JSON is not read as far as it goes. */
const demandWhole = ({ stop_reason: reason }: Turn, wanted: number, room: number): void => {
  if (reason === 'end_turn') return
  if (reason === 'refusal') throw failed('model_refused', 'The model refused to answer.')
  if (reason === 'max_tokens' && room < wanted) throw new BudgetExceeded('What was left cut the answer of the model')
  if (reason === 'max_tokens') throw failed('output_truncated', 'The answer of the model was cut at its limit.')
  if (reason === 'model_context_window_exceeded') throw failed('context_exceeded', 'The inputs are too long together.')
  throw failed('schema_invalid', 'The model did not end its answer.', true)
}

const ajv = new Ajv({ strict: false })
const compiled = new WeakMap<TSchema, ValidateFunction>()

const validatorOf = (schema: TSchema): ValidateFunction => {
  const known = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, known)
  return known
}

/** Text is kept as it can be stored: without NUL and lone surrogates. */
const clean = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value

const parse = ({ parts }: Turn, { schema }: Prompt): unknown => {
  const text = parts.map((part) => part.type === 'text' ? String(part.text) : '').join('')
  let value: unknown
  try {
    value = JSON.parse(text, clean)
  } catch {
    throw failed('schema_invalid', 'The answer of the model is not JSON.', true)
  }
  if (!validatorOf(schema)(value)) throw failed('schema_invalid', 'The answer of the model does not fit.', true)
  return value
}

/** The prompt cache is a prefix: rules, then the material, then what differs from question to question. */
const toRequest = ({ system, material, task, schema }: Prompt, model: string, maxTokens: number):
Parameters<Llm['stream']>[0] => ({
  model,
  system,
  tools: [],
  max_tokens: maxTokens,
  output_schema: toGrammar(schema) as Record<string, unknown>,
  messages: [{
    role: 'user',
    content: [
      { type: 'text', text: material, cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'text', text: task }
    ]
  }]
})

const suspicious = mayHoldSecret()
const redacted = (text: string): string => suspicious.test(text) ? redactText(text) : text

const withoutSecrets = ({ system, material, task, ...rest }: Prompt): Prompt =>
  ({ ...rest, system: redacted(system), material: redacted(material), task: redacted(task) })

const charsPerToken = 4

const inputTokens = ({ system, material, task }: Prompt): number =>
  Math.ceil((system.length + material.length + task.length) / charsPerToken)

/** Gathers what one call was, until it is told. */
const watchCall = ({ model, onCall }: AskOptions) => {
  const clock = startClock()
  const known: Pick<AskedCall, 'first_token_ms' | 'stop_reason' | 'error'> =
    { first_token_ms: null, stop_reason: null, error: null }
  return {
    onText: (): void => { known.first_token_ms ??= clock.passed() },
    onTurn: ({ stop_reason }: Turn): void => { known.stop_reason = stop_reason },
    onError: (error: unknown): void => { known.error = error instanceof ModelError ? error.code : 'aborted' },
    tell: (usage: Usage | undefined): void => onCall?.({
      model, streamed: true, ...clock.times(), ...known, usage: usage ?? null
    })
  }
}

const askOnce = async (llm: Pick<Llm, 'stream'>, prompt: Prompt, options: AskOptions): Promise<unknown> => {
  const { model, signal, idleMs, budget, onSpend } = options
  const room = await budget.reserve(inputTokens(prompt), prompt.maxTokens, signal)
  const watch = watchCall(options)
  let usage: Usage | undefined
  try {
    const turn = await llm.stream(toRequest(prompt, model, room.maxTokens), {
      signal, idleMs, onText: watch.onText, onBroken: (charged) => { usage = charged }
    })
    usage = turn.usage
    watch.onTurn(turn)
    demandWhole(turn, prompt.maxTokens, room.maxTokens)
    return parse(turn, prompt)
  } catch (error) {
    watch.onError(error)
    throw error
  } finally {
    room.settle(usage)
    watch.tell(usage)
    if (usage) await onSpend(usage)
  }
}

const pauseMs = ({ retryAfterMs }: ModelError, base: number, attempt: number): number =>
  Math.min(60_000, Math.max(retryAfterMs ?? 0, base * 4 ** (attempt - 1)))

/** @returns a function that asks the model, three times at most where a repetition may help */
export const makeAsk = (llm: Pick<Llm, 'stream'>, options: AskOptions): AskModel => async (asked) => {
  const prompt = options.redact ? withoutSecrets(asked) : asked
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(llm, prompt, options)
    } catch (error) {
      if (!(error instanceof ModelError) || !error.retryable || attempt === maxAttempts) throw error
      await sleep(pauseMs(error, options.retryBaseMs, attempt), undefined, { signal: options.signal })
    }
  }
}
