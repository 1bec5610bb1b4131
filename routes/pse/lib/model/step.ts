import type { AskModel, ReadModel } from '../../../../lib/llm/ask.js'

/** The results of finished steps by their keys, as stored JSON. */
export type Results = ReadonlyMap<string, unknown>

/** The two ways to ask: for an answer that fits as a whole, and for one that is read item by item. */
export interface Model { ask: AskModel, read: ReadModel }

export interface Step {
  /** Unique in the generation, such as "part:2", "judge:1", "repair:1". */
  key: string
  title: string
  usesModel: boolean
  /** Where the model fails here, the generation goes on without this step. */
  mayFail?: boolean
  /** SHA-256 of everything that the result depends on: a finished step with the same one does not run again. */
  fingerprint: string
  /** @returns JSON. Pure except for the model; may run again after a crash */
  run: (results: Results, model: Model) => Promise<unknown>
}
