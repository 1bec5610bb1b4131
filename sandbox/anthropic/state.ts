import type { FastifyRequest } from 'fastify'
import type { ControlOptions } from '../control-path.js'
import { PromptCache } from './cache.js'
import { Journal, type JournalEntry } from './journal.js'
import { ScriptBook } from './script-book.js'

/** The behavior of a sandbox without a script. */
export interface SandboxOptions extends ControlOptions {
  logger?: boolean
  /** Pause between two words of the scripted assistant. */
  delayMs?: number
  /** Prefixes shorter than this are not cached. */
  cacheMinTokens?: number
}

const defaultDelay = 8

/** The state of one sandbox, in memory only. */
export class SandboxState {
  readonly book = new ScriptBook()
  readonly journal = new Journal()
  readonly cache: PromptCache
  readonly entries = new WeakMap<FastifyRequest, JournalEntry>()
  readonly settings: { delayMs: number }
  readonly #initial: Required<Pick<SandboxOptions, 'delayMs' | 'cacheMinTokens'>>

  constructor ({ delayMs = defaultDelay, cacheMinTokens = 0 }: SandboxOptions) {
    this.#initial = { delayMs, cacheMinTokens }
    this.settings = { delayMs }
    this.cache = new PromptCache(cacheMinTokens)
  }

  reset () {
    this.book.clearTurns()
    this.book.clearFaults()
    this.journal.clear()
    this.cache.clear()
    this.cache.minTokens = this.#initial.cacheMinTokens
    this.settings.delayMs = this.#initial.delayMs
  }
}
