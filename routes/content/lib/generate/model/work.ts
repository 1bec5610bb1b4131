import type { OutputRow } from '../../../../../db/content/generation-outputs.js'
import type { AskModel } from '../../../../../lib/llm/ask.js'
import type { BriefBody, ContentBody } from 'steward-prose-engine/schemas'
import type { Judgement } from 'steward-prose-engine/claims'
import type { Measure } from 'steward-prose-engine/revision'
import type { PromptRequest } from './prompts.js'
import type { NewContentEvent } from '../../../../../schemas/content/generation-records.js'

/** One output that is being written: its inputs, and the function that runs its steps. */
export interface Work {
  output: OutputRow
  measure: Measure
  request: PromptRequest
  brief: BriefBody | null
  /** The record as it was when the work began. */
  base: ContentBody
  /** adapt, translate: the version that it is derived from. */
  source: ContentBody | null
  system: string
  material: string
  maxRounds: number
  /** sections: the requested parts. */
  targets: readonly string[]
  /** Runs a step once: after a crash it returns the stored result. */
  step: <T>(name: string, run: (ask: AskModel) => Promise<T>) => Promise<T>
  append: (event: NewContentEvent) => Promise<void>
}

/** `judgements`: what is known of its statements; none where nothing proves them. */
export interface Written { body: ContentBody, refused: string[], judgements: Judgement[] }
