import type { App } from '../app.js'

export interface Arranged {
  args: Record<string, unknown>
  /** Each changes one thing that the plan stands on, as another caller would. */
  drifts: Record<string, () => Promise<unknown>>
  /** Changes what the plan does not depend on: no approval is asked again. */
  irrelevant?: Record<string, () => Promise<unknown>>
  /** Other values of arguments, where one made from the schema would not work. */
  variants?: Record<string, unknown>
  /** Arguments that say the same as their absence here. */
  sameBy?: string[]
  /** @returns how often the write took effect */
  executed: () => Promise<number>
}

export interface ConsentCase {
  tool: string
  /** Its plan is a read, which needs no approval. */
  reads?: true
  arrange: (app: App) => Promise<Arranged>
}
