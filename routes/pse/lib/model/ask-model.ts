import { setTimeout as sleep } from 'node:timers/promises'
import type { TSchema } from '@sinclair/typebox'
import { Ajv, type ValidateFunction } from 'ajv'
import type { Llm } from '../../../../plugins/llm.js'
import { ModelError } from '../../../../plugins/llm-errors.js'
import type { Turn, Usage } from '../../../../plugins/llm-turn.js'
import type { AskModel, Prompt } from '../engine/pipeline.js'
import { toGrammar } from './grammar.js'

export interface AskOptions {
  model: string
  signal: AbortSignal
  /** After so long without a sign of life the call is given up. */
  idleMs: number
  retryBaseMs: number
  /** Called for every call that was answered, whatever the answer was worth. */
  onSpend: (usage: Usage) => void | Promise<void>
}

const maxAttempts = 3

const failed = (code: string, message: string, retryable = false) => new ModelError(code, message, retryable)

/** A cut answer is none: its JSON is not read as far as it goes. */
const demandWhole = ({ stop_reason: reason }: Turn): void => {
  if (reason === 'end_turn') return
  if (reason === 'refusal') throw failed('model_refused', 'The model refused to answer.')
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

/** The prompt cache is a prefix: rules, then the inputs, then what differs from step to step. */
const toRequest = ({ system, material, task, schema, maxTokens }: Prompt,
  model: string): Parameters<Llm['stream']>[0] => ({
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

const pauseMs = ({ retryAfterMs }: ModelError, base: number, attempt: number): number =>
  Math.min(60_000, Math.max(retryAfterMs ?? 0, base * 4 ** (attempt - 1)))

/** @returns a function that asks the model, three times at most where a repetition may help */
export const makeAsk = (llm: Pick<Llm, 'stream'>,
  { model, signal, idleMs, retryBaseMs, onSpend }: AskOptions): AskModel =>
  async (prompt) => {
    for (let attempt = 1; ; attempt++) {
      try {
        const turn = await llm.stream(toRequest(prompt, model), { signal, idleMs, onText: () => {} })
        await onSpend(turn.usage)
        demandWhole(turn)
        return parse(turn, prompt)
      } catch (error) {
        if (!(error instanceof ModelError) || !error.retryable || attempt === maxAttempts) throw error
        await sleep(pauseMs(error, retryBaseMs, attempt), undefined, { signal })
      }
    }
  }
