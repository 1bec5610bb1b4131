/** Why a model call gave no usable turn. Messages are ours: nothing of the provider's text crosses the wire. */
export class ModelError extends Error {
  constructor (readonly code: string, message: string, readonly retryable: boolean, readonly retryAfterMs?: number) {
    super(message)
    this.name = 'ModelError'
  }
}

/** What the provider said of a request that is too long for the model, where it gave numbers. */
export interface TooLong { tokens?: number, window?: number }

/** The request does not fit into the model's window: compacted, it may. */
export class ContextExceeded extends ModelError {
  constructor (readonly known: TooLong = {}) {
    super('model_context_exceeded', 'The conversation is too long for the model.', false)
  }
}

const tooLong = new RegExp(['prompt is too long', 'input is too long', 'maximum context', 'context_length_exceeded',
  'context (length|window|size|limit)'].join('|'), 'i')

/** A provider's own words begin with the numbers; what it quotes of a request comes later. */
const numbers: { pattern: RegExp, of: (keyof TooLong)[] }[] = [
  { pattern: /^prompt is too long: (\d{1,9}) tokens > (\d{1,9}) maximum/, of: ['tokens', 'window'] },
  { pattern: /^input length and `max_tokens` exceed context limit: \d{1,9} \+ \d{1,9} > (\d{1,9})/, of: ['window'] },
  { pattern: /^This model's maximum context length is (\d{1,9}) tokens/, of: ['window'] }
]

/** A smaller window is none of a model that we can use, but a mistake. */
const leastWindow = 4_096

/** @returns what a refusal says of the length, in the words of several servers; undefined when it is about another */
export const readTooLong = (message: string): TooLong | undefined => {
  if (!tooLong.test(message.slice(0, 300))) return undefined
  const known: TooLong = {}
  for (const { pattern, of } of numbers) {
    const [, ...found] = pattern.exec(message) ?? []
    for (const [index, number] of found.entries()) known[of[index] ?? 'tokens'] = Number(number)
  }
  return (known.window ?? leastWindow) < leastWindow ? {} : known
}

/** What the model refused to take, and what to change then. Messages of blocks in the history name them otherwise. */
const settings: { pattern: RegExp, code: string, message: string }[] = [
  {
    pattern: /^(?!messages\.).{0,80}\beffort\b/s,
    code: 'model_effort_refused',
    message: 'The model does not take this effort. Choose another for the session, or change ANTHROPIC_EFFORT.'
  },
  {
    pattern: /^(?!messages\.)(?=.{0,80}\bthinking\b)(?!.{0,80}\btool_choice\b)/is,
    code: 'model_thinking_refused',
    message: 'The model does not think in this way. Choose another for the session, or change ANTHROPIC_THINKING.'
  }
]

/** @returns the error that names the setting which a refusal is about; undefined when it is about another */
export const readSetting = (message: string): ModelError | undefined => {
  if (refusedThoughts.test(message)) {
    return new ModelError('model_thoughts_refused', 'The provider refused what the model has thought before.', false)
  }
  const found = settings.find(({ pattern }) => pattern.test(message))
  return found && new ModelError(found.code, found.message, false)
}

/** Thoughts are signed for what came before them, and for the model and the account that thought. */
const refusedThoughts = /^messages\.\d+\.content\.\d+.{0,60}(signature|`?(redacted_)?thinking)/is

export const modelOverloaded = (ms?: number) => new ModelError('model_overloaded', 'The model is busy.', true, ms)
export const modelStalled = () => new ModelError('model_stream_stalled', 'The model fell silent.', true)
export const modelBroken = () => new ModelError('model_stream_broken', 'The connection to the model broke.', true)

/** What Bedrock calls its exceptions within a stream, in the words of the Messages API. */
const exceptions: Record<string, string> = {
  throttlingexception: 'rate_limit_error',
  serviceunavailableexception: 'overloaded_error',
  internalserverexception: 'api_error',
  modelstreamerrorexception: 'api_error',
  modeltimeoutexception: 'timeout_error'
}

/** Errors inside a stream carry a type and no status. */
export const fromErrorEvent = (named: string | undefined): ModelError => {
  const type = exceptions[named?.toLowerCase() ?? ''] ?? named
  if (type === 'overloaded_error') return modelOverloaded()
  if (type === 'rate_limit_error') return new ModelError('model_rate_limited', 'The model limits our requests.', true)
  if (type === 'api_error' || type === 'timeout_error') return modelBroken()
  return new ModelError('model_bad_request', 'The model refused the request.', false)
}
