import { Type, type Static } from '@sinclair/typebox'
import { plainName } from './prices.js'

export const ModelWindows = Type.Record(Type.String({ minLength: 1 }), Type.Integer({ minimum: 4_096 }))
export type ModelWindows = Static<typeof ModelWindows>

/** Tokens of request and answer together, by the name without region and date. Source: the provider's documentation. */
const listed: [RegExp, number][] = [
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
      listed.find(([pattern]) => pattern.test(name))?.[1] ?? unknown
    return Math.min(known, this.#learnt.get(model) ?? known)
  }

  /** @param tokens the window that the provider named when it refused a request for its length */
  learn (model: string, tokens: number): void {
    this.#learnt.set(model, tokens)
  }
}
