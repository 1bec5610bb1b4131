import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages'
import { StringBuilder } from './string-builder.js'
import { fromErrorEvent } from './errors.js'
import { isObject } from '../../schemas/unknown.js'

export interface TextPart {
  type: 'text'
  text: string
}
export interface ToolUsePart {
  type: 'tool_use'
  id: string
  name: string
  input: Record<string, unknown>
}
/** A block that goes back to the model as it came: thinking with its signature, and what we do not know. */
export interface OpaquePart {
  type: 'thinking' | 'redacted_thinking'
  [field: string]: unknown
}
export type Part = TextPart | ToolUsePart | OpaquePart

export interface Usage {
  input_tokens: number
  output_tokens: number
  cache_write_tokens: number
  cache_read_tokens: number
  /** Of the cache writes, those that live five minutes; all others live an hour. */
  cache_write_5m_tokens?: number
}

/** What a model call is charged. */
export interface Charge {
  usage: Usage
  /** The model that answered, by the name that the provider gives it. */
  model?: string
  /** The provider did not report all of it: what is missing is estimated from what it sent. */
  estimated?: boolean
  request_id: string | null
}

export interface Turn extends Charge {
  parts: Part[]
  /** Tool calls whose arguments are not a JSON object, word for word, or hold what no row can: they must not run. */
  malformed: Set<Part>
  stop_reason: string | null
}

interface Block {
  part: Part
  /** Of a text block, the deltas after its start. */
  text: StringBuilder
  json: string
  closed: boolean
}

/** Text is emitted as it will be stored: without NUL and lone surrogates. */
const clean = (text: string): string => {
  const kept = text.includes('\0') ? text.replaceAll('\0', '') : text
  return kept.isWellFormed() ? kept : kept.toWellFormed()
}

const isStorable = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, child]) => isStorable(key) && isStorable(child))
}

/** What is no name of a tool is none either once it is stored; the history stays one that the API takes. */
const cleanName = (name: string): string => name.replace(/[^\w-]/g, '_').slice(0, 64) || '_'

/** Strict: the SDK repairs cut JSON silently, and a write would go ahead without its missing field. */
const parseArguments = (json: string): Record<string, unknown> | undefined => {
  if (json === '') return {}
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) && (!json.includes('\\u') || isStorable(value)) ? value : undefined
  } catch {
    return undefined
  }
}

const isText = (part: Part): part is TextPart => part.type === 'text'

/** The provider executes these calls itself: their arguments go back as they came. */
const withInput = (part: Part, json: string): Part =>
  json === '' ? part : { ...part, input: parseArguments(json) ?? {} } as Part

const bytesPerToken = 4

/** @returns about how many tokens these are; more for languages that need more bytes a word */
export const tokensIn = (bytes: number): number => Math.ceil(bytes / bytesPerToken)

/** @returns how many bytes the model has written of the block */
const sizeOf = ({ part, text, json }: Block): number =>
  Buffer.byteLength(JSON.stringify(part)) + Buffer.byteLength(json) + Buffer.byteLength(text.toString())

const thinkingOf = (part: Part): string => 'thinking' in part ? String(part.thinking) : ''

const citationsOf = (part: Part): unknown[] =>
  'citations' in part && Array.isArray(part.citations) ? part.citations : []

interface ReportedUsage {
  input_tokens?: number | null
  output_tokens?: number | null
  cache_creation_input_tokens?: number | null
  cache_read_input_tokens?: number | null
  cache_creation?: { ephemeral_5m_input_tokens: number } | null
}

/** Builds the turn out of the stream's events; only `message_stop` makes it complete. */
export class TurnBuilder {
  readonly #blocks: Block[] = []
  readonly #usage: Usage = { input_tokens: 0, output_tokens: 0, cache_write_tokens: 0, cache_read_tokens: 0 }
  #stopReason: string | null = null
  #model: string | undefined
  /** The provider has reported all that it charges: only at the end is the output known. */
  #isReported = false
  complete = false
  /** The model has begun to answer, so the call is charged. */
  started = false

  /** @returns the text that the event adds, if any */
  add (event: RawMessageStreamEvent | { type: 'error'; error?: { type?: string } } | { type: 'ping' }): string {
    switch (event.type) {
      case 'content_block_delta':
        return this.#delta(event)
      case 'content_block_start':
        this.#start(event.index, event.content_block)
        return ''
      case 'content_block_stop':
        this.#block(event.index).closed = true
        return ''
      case 'message_start':
        this.#open(event.message)
        return ''
      case 'message_delta':
        this.#stopReason = event.delta.stop_reason
        if (this.#count(event.usage)) this.#isReported = true
        return ''
      case 'message_stop':
        this.complete = true
        return ''
      case 'error':
        throw fromErrorEvent(event.error?.type)
      default:
        return ''
    }
  }

  /** @returns the text as it is kept, where the block is one */
  addText (index: number, delta: string): string {
    const block = this.#block(index)
    if (!isText(block.part)) return ''
    const text = clean(delta)
    block.text.add(text)
    return text
  }

  /**
   * @param requestBytes as in `charge`
   * @returns the turn as far as it came; blocks that were not closed are left out, except text
   */
  finish (requestId: string | null, requestBytes: number): Turn {
    const malformed = new Set<Part>()
    const parts = this.#blocks
      .filter(({ part, closed }) => closed || part.type === 'text')
      .map(({ part, text, json }) => {
        if (isText(part)) return { ...part, text: part.text + text.toString() }
        if (part.type !== 'tool_use') return withInput(part, json)
        const input = parseArguments(json)
        const call = { ...part, input: input ?? {} }
        if (!input) malformed.add(call)
        return call
      })
    // The API refuses a history with a text of nothing but blanks.
    const kept = parts.filter((part) => !isText(part) || part.text.trim() !== '')
    return { ...this.charge(requestId, requestBytes), parts: kept, malformed, stop_reason: this.#stopReason }
  }

  /**
   * @param requestBytes size of the request, by which the input is estimated where the provider reports none
   * @returns what the call is charged so far
   */
  charge (requestId: string | null, requestBytes: number): Charge {
    const usage = { ...this.#usage }
    // There is no request without input: a server that reports none does not count, and is not free for that.
    const isCounted = usage.input_tokens + usage.cache_write_tokens + usage.cache_read_tokens > 0
    const isWhole = isCounted && this.#isReported
    if (!isCounted) usage.input_tokens = tokensIn(requestBytes)
    if (!isWhole) usage.output_tokens = Math.max(usage.output_tokens, this.#outputSoFar())
    return {
      usage,
      request_id: requestId,
      ...(this.#model !== undefined && { model: this.#model }),
      ...(!isWhole && { estimated: true })
    }
  }

  #outputSoFar (): number {
    return tokensIn(this.#blocks.reduce((sum, block) => sum + sizeOf(block), 0))
  }

  /** Servers of the protocol may leave out what the provider always sends. */
  #open ({ model, usage }: { model?: string, usage?: ReportedUsage }): void {
    this.started = true
    this.#model = model || undefined
    this.#count(usage)
  }

  #block (index: number): Block {
    const block = this.#blocks[index]
    if (!block) throw fromErrorEvent('api_error')
    return block
  }

  #start (index: number, block: { type: string }): void {
    const call = block as ToolUsePart
    // Of a call, only the fields that go back to the model; the provider may add more.
    const part: Part = block.type === 'tool_use'
      ? { type: 'tool_use', id: call.id, name: cleanName(call.name), input: {} }
      : { ...block } as Part
    if (isText(part)) part.text = clean(part.text)
    this.#blocks[index] = { part, text: new StringBuilder(), json: '', closed: false }
  }

  #delta (event: Extract<RawMessageStreamEvent, { type: 'content_block_delta' }>): string {
    const block = this.#block(event.index)
    const { part } = block
    const { delta } = event
    if (delta.type === 'text_delta') return this.addText(event.index, delta.text)
    if (delta.type === 'input_json_delta') block.json += delta.partial_json
    else if (delta.type === 'thinking_delta') Object.assign(part, { thinking: thinkingOf(part) + delta.thinking })
    else if (delta.type === 'signature_delta') Object.assign(part, { signature: delta.signature })
    else if (delta.type === 'citations_delta') {
      Object.assign(part, { citations: [...citationsOf(part), delta.citation] })
    }
    return ''
  }

  /** @returns whether the provider reported something */
  #count (usage: ReportedUsage | undefined): boolean {
    if (!usage) return false
    const count = this.#usage
    count.input_tokens = usage.input_tokens ?? count.input_tokens
    count.output_tokens = usage.output_tokens ?? count.output_tokens
    count.cache_write_tokens = usage.cache_creation_input_tokens ?? count.cache_write_tokens
    count.cache_read_tokens = usage.cache_read_input_tokens ?? count.cache_read_tokens
    const short = usage.cache_creation?.ephemeral_5m_input_tokens ?? count.cache_write_5m_tokens ?? 0
    if (short > 0) count.cache_write_5m_tokens = Math.min(short, count.cache_write_tokens)
    return true
  }
}
