import type { OutputRow } from '../../../../../db/content/generation-outputs.js'
import type { AskModel } from '../../../../../lib/llm/ask.js'
import type { BriefBody } from '../../../../../schemas/content/briefs.js'
import type { ContentBody } from '../../../../../schemas/content/contents.js'
import type { Measure } from './measure.js'
import type { PromptRequest } from './prompts.js'
import type { NewContentEvent } from '../../../../../schemas/content/generation-records.js'

/** One output that is being written: what it is made of, and the way to its steps. */
export interface Work {
  output: OutputRow
  measure: Measure
  request: PromptRequest
  brief: BriefBody | null
  /** The record as it was when the work began. */
  base: ContentBody
  /** adapt, translate: the version that it is made of. */
  source: ContentBody | null
  system: string
  material: string
  maxRounds: number
  /** sections: the parts that were asked for. */
  targets: readonly string[]
  /** Does a step once: what it gave before a crash is what it gives after. */
  step: <T>(name: string, run: (ask: AskModel) => Promise<T>) => Promise<T>
  append: (event: NewContentEvent) => Promise<void>
}

export interface Written { body: ContentBody, refused: string[] }
