import { createHash } from 'node:crypto'
import type { CacheControlEphemeral, MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { invalid } from './api-error.js'
import { tokensOf } from './tokens.js'

const lookback = 20
const capacity = 20_000
const maxBreakpoints = 4
const lifetimes = { '5m': 300_000, '1h': 3_600_000 }

type Ttl = keyof typeof lifetimes
interface Segment { hash: string, tokens: number, breakpoint?: Ttl }
interface Cacheable { cache_control?: CacheControlEphemeral | null }

/** The input side of a usage record. */
export interface InputUsage {
  input_tokens: number
  cache_read_input_tokens: number
  cache_creation_input_tokens: number
  cache_creation: { ephemeral_5m_input_tokens: number, ephemeral_1h_input_tokens: number }
}

// Cache markers are not content: moving a breakpoint must not change the hash.
const withoutMarkers = (key: string, value: unknown) => key === 'cache_control' ? undefined : value

/** Every block of a request in cache order: tools, system, messages; each hash covers all before it. */
export function segmentsOf (request: MessageCreateParamsBase): Segment[] {
  const segments: Segment[] = []
  let previous: string = request.model
  const add = (block: object, marks: Cacheable[]) => {
    const text = JSON.stringify(block, withoutMarkers)
    previous = createHash('sha256').update(previous).update(text).digest('base64')
    const breakpoint = marks.map((mark) => mark.cache_control).find((mark) => mark)
    segments.push({ hash: previous, tokens: tokensOf(text), ...(breakpoint && { breakpoint: breakpoint.ttl ?? '5m' }) })
  }
  for (const tool of request.tools ?? []) add(tool, [tool])
  for (const block of blocksOf(request.system)) add(block, marksOf(block))
  previous += JSON.stringify([request.tool_choice, request.thinking])
  for (const { role, content } of request.messages) {
    for (const block of blocksOf(content)) add({ role, block }, marksOf(block))
  }
  return withAutomaticBreakpoint(segments, request)
}

type AnyBlock = Exclude<MessageCreateParamsBase['messages'][number]['content'], string>[number]

const blocksOf = (content: string | AnyBlock[] | undefined): AnyBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content ?? []

const marksOf = (block: AnyBlock): Cacheable[] => block.type === 'tool_result' && Array.isArray(block.content)
  ? [block, ...block.content.filter((part) => 'cache_control' in part)]
  : 'cache_control' in block ? [block] : []

function withAutomaticBreakpoint (segments: Segment[], request: MessageCreateParamsBase) {
  const last = segments.at(-1)
  if (request.cache_control && last && !last.breakpoint) last.breakpoint = request.cache_control.ttl ?? '5m'
  const found = segments.filter(({ breakpoint }) => breakpoint).length
  if (found > maxBreakpoints) {
    throw invalid(`A maximum of ${maxBreakpoints} blocks with cache_control may be provided. Found ${found}.`)
  }
  return segments
}

/** The prompt cache: prefixes by hash, each with its expiry. */
export class PromptCache {
  #entries = new Map<string, { until: number, ttl: Ttl }>()
  /** How many tokens the same text has, compared with the usual count. */
  weight = 1

  constructor (public minTokens = 0, private readonly now = Date.now) {}

  clear () {
    this.#entries.clear()
  }

  /** Reads the cached prefix of a request, caches its marked prefixes, and returns the usage. */
  use (request: MessageCreateParamsBase): InputUsage {
    const segments = segmentsOf(request)
    const upTo = sums(segments, this.weight)
    const marked = segments.flatMap(({ breakpoint: ttl, hash }, index) =>
      ttl && upTo(index) >= this.minTokens ? [{ index, ttl, hash }] : [])
    const hit = this.#longestHit(segments, marked.map((mark) => mark.index))
    const usage = emptyUsage()
    usage.cache_read_input_tokens = upTo(hit)
    let covered = hit
    for (const { index, ttl, hash } of marked) {
      this.#write(hash, ttl)
      if (index <= covered) continue
      usage.cache_creation[`ephemeral_${ttl}_input_tokens`] += upTo(index) - upTo(covered)
      covered = index
    }
    usage.cache_creation_input_tokens = upTo(covered) - upTo(hit)
    usage.input_tokens = upTo(segments.length - 1) - upTo(covered)
    return usage
  }

  #longestHit (segments: Segment[], breakpoints: number[]) {
    for (const at of breakpoints.toReversed()) {
      for (let index = at; index >= 0 && index > at - lookback; index--) {
        const hash = segments[index]?.hash ?? ''
        const entry = this.#entries.get(hash)
        if (!entry || entry.until <= this.now()) continue
        this.#write(hash, entry.ttl)
        return index
      }
    }
    return -1
  }

  #write (hash: string, ttl: Ttl) {
    this.#entries.delete(hash)
    this.#entries.set(hash, { until: this.now() + lifetimes[ttl], ttl })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > capacity && oldest) this.#entries.delete(oldest)
  }
}

const emptyUsage = (): InputUsage => ({
  input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 }
})

function sums (segments: Segment[], weight: number) {
  let total = 0
  const running = segments.map((segment) => (total += segment.tokens))
  return (index: number) => Math.ceil((running[index] ?? 0) * weight)
}

/** Tokens of a whole request. */
export const countInputTokens = (request: MessageCreateParamsBase, weight = 1) =>
  Math.ceil(segmentsOf(request).reduce((total, segment) => total + segment.tokens, 0) * weight)
