import { Type, type Static } from '@sinclair/typebox'
import type { Usage } from './turn.js'

/** US dollars per million tokens, which is micro-dollars per token. */
export const ModelPrice = Type.Object({
  input: Type.Number({ minimum: 0 }),
  output: Type.Number({ minimum: 0 }),
  cache_read: Type.Optional(Type.Number({ minimum: 0, description: 'Default: a tenth of input' })),
  cache_write: Type.Optional(Type.Number({ minimum: 0, description: 'For an hour; default: twice input' })),
  cache_write_5m: Type.Optional(Type.Number({ minimum: 0, description: 'For five minutes; default: 1.25 times input' }))
}, { additionalProperties: false })
export type ModelPrice = Static<typeof ModelPrice>

export const ModelPrices = Type.Record(Type.String({ minLength: 1 }), ModelPrice)
export type ModelPrices = Static<typeof ModelPrices>

/** By the name without region and date. Source: the provider's public price list. */
const listed: [RegExp, ModelPrice][] = [
  [/^claude-(fable|mythos)-/, { input: 10, output: 50 }],
  [/^claude-(opus-4(-[01])?|3-opus)$/, { input: 15, output: 75 }],
  [/^claude-opus-\d/, { input: 5, output: 25 }],
  [/^claude-(sonnet-\d|3(-[57])?-sonnet$)/, { input: 3, output: 15 }],
  [/^claude-3-5-haiku$/, { input: 0.8, output: 4 }],
  [/^claude-3-haiku$/, { input: 0.25, output: 1.25 }],
  [/^claude-haiku-\d/, { input: 1, output: 5 }]
]

/** The five-minute and the one-hour cache cost this much more to write than input, and this much less to read. */
const cacheFactors = { write: 2, write5m: 1.25, read: 0.1 }

const shorten = (name: string): string =>
  ((name.toLowerCase().split('/').at(-1) ?? '').split(/[:@]/, 1)[0] ?? '')
    .replace(/^([a-z-]{1,20}\.)?anthropic\./, '')
    .replace(/-v\d{1,3}$/, '')
    .replace(/-(\d{8}|latest)$/, '')
    .replace(/(\d)\.(\d)/g, '$1-$2')

/** Names come from requests too, so not more than so many are kept. */
const maxKept = 1_000

const kept = new Map<string, string>()

/**
 * Clouds put a region, a vendor, a date and a version around a model's name: `us.anthropic.claude-…-20250929-v1:0`,
 * `claude-…@20250929`, `anthropic/claude-sonnet-4.5`, or an ARN that ends in one of them.
 */
export const plainName = (name: string): string => {
  const known = kept.get(name)
  if (known !== undefined) return known
  if (kept.size >= maxKept) kept.clear()
  const plain = shorten(name)
  kept.set(name, plain)
  return plain
}

/** What models cost: as configured, else as the provider's list says. */
export class PriceBook {
  readonly #configured: ReadonlyMap<string, ModelPrice>

  constructor (private readonly configured: ModelPrices = {}) {
    this.#configured = new Map(Object.entries(configured).flatMap(([name, price]): [string, ModelPrice][] =>
      [[plainName(name), price], [name, price]]))
  }

  /** @returns the same prices, with another of this model */
  with (model: string, price: ModelPrice): PriceBook {
    return new PriceBook({ ...this.configured, [model]: price })
  }

  /** @returns US dollars per million tokens; null = the price is not known */
  priceOf (model: string): Pick<ModelPrice, 'input' | 'output'> | null {
    const found = this.#find(model)
    return found ? { input: found.input, output: found.output } : null
  }

  has (model: string): boolean {
    return this.#find(model) !== undefined
  }

  /** @returns the cost in micro-dollars; null when the model's price is not known */
  cost (model: string, usage: Usage): number | null {
    const price = this.#find(model)
    if (!price) return null
    const { input, output } = price
    const { cache_write = input * cacheFactors.write, cache_read = input * cacheFactors.read } = price
    const { cache_write_5m = input * cacheFactors.write5m } = price
    const short = usage.cache_write_5m_tokens ?? 0
    const exact = usage.input_tokens * input + usage.output_tokens * output + short * cache_write_5m +
      (usage.cache_write_tokens - short) * cache_write + usage.cache_read_tokens * cache_read
    // A tenth of 3 is a little more than 0.3 in floating point, which is no reason to charge more.
    return Math.ceil(Math.round(exact * 1_000) / 1_000)
  }

  #find (model: string): ModelPrice | undefined {
    const name = plainName(model)
    return this.#configured.get(model) ?? this.#configured.get(name) ??
      listed.find(([pattern]) => pattern.test(name))?.[1]
  }
}

export const ModelWindows = Type.Record(Type.String({ minLength: 1 }), Type.Integer({ minimum: 4_096 }))
export type ModelWindows = Static<typeof ModelWindows>

/** Tokens of request and answer together, by the name without region and date. Source: the provider's documentation. */
const listedWindow: [RegExp, number][] = [
  [/^claude-(fable|mythos)-/, 1_000_000],
  [/^claude-(opus|sonnet)-(4-[6-9]|[5-9]|\d\d)/, 1_000_000],
  [/^claude-/, 200_000]
]

/** Of a model that nobody has described. */
const unknown = 128_000

/** How much models read: as configured, else as their provider lists them; and less where it has refused more. */
export class WindowBook {
  readonly #known: Map<string, number>
  readonly #learnt = new Map<string, number>()

  constructor (configured: ModelWindows = {}) {
    this.#known = new Map(Object.entries(configured).flatMap(([name, tokens]): [string, number][] =>
      [[plainName(name), tokens], [name, tokens]]))
  }

  /** @param named the window that the provider lists */
  of (model: string, named?: number | null): number {
    const name = plainName(model)
    const known = this.#known.get(model) ?? this.#known.get(name) ?? named ??
      listedWindow.find(([pattern]) => pattern.test(name))?.[1] ?? unknown
    return Math.min(known, this.#learnt.get(model) ?? known)
  }

  /** @param tokens the window that the provider named when it refused a request for its length */
  learn (model: string, tokens: number): void {
    this.#learnt.set(model, tokens)
  }
}
