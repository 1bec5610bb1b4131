import type { FastifyRequest } from 'fastify'
import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import type { ControlOptions } from '../control-path.js'
import { PromptCache } from './cache.js'
import { CloudKeys } from './clouds/keys.js'
import { Journal, type JournalEntry } from './journal.js'
import { ScriptBook } from './script-book.js'
import type { SettingsBody, Turn } from './turn.js'

/** The behavior of a sandbox without a script. */
export interface SandboxOptions extends ControlOptions {
  logger?: boolean
  /** Pause between two words of the scripted assistant. */
  delayMs?: number
  /** Prefixes shorter than this are not cached. */
  cacheMinTokens?: number
  /** Answers in the place of the scripted assistant; undefined = the assistant does. */
  script?: ((request: MessageCreateParamsBase) => Turn | undefined) | undefined
}

const defaultDelay = 8

/** As GET /v1/models has it. */
export const usualWindow = 200_000

/** The state of one sandbox, in memory only. */
export class SandboxState {
  readonly book = new ScriptBook()
  readonly journal = new Journal()
  readonly cache: PromptCache
  readonly keys = new CloudKeys()
  readonly entries = new WeakMap<FastifyRequest, JournalEntry>()
  readonly script: SandboxOptions['script']
  readonly settings: { delayMs: number, windowTokens: number }
  readonly #initial: Required<Pick<SandboxOptions, 'delayMs' | 'cacheMinTokens'>>

  constructor ({ delayMs = defaultDelay, cacheMinTokens = 0, script }: SandboxOptions) {
    this.script = script
    this.#initial = { delayMs, cacheMinTokens }
    this.settings = { delayMs, windowTokens: usualWindow }
    this.cache = new PromptCache(cacheMinTokens)
  }

  /** @returns the settings as they are then */
  set ({ delay_ms: delay, cache_min_tokens: least, window_tokens: window, token_weight: weight }: SettingsBody) {
    const { settings, cache } = this
    settings.delayMs = delay ?? settings.delayMs
    settings.windowTokens = window ?? settings.windowTokens
    cache.minTokens = least ?? cache.minTokens
    cache.weight = weight ?? cache.weight
    return {
      delay_ms: settings.delayMs,
      cache_min_tokens: cache.minTokens,
      window_tokens: settings.windowTokens,
      token_weight: cache.weight
    }
  }

  reset () {
    this.book.clearTurns()
    this.book.clearFaults()
    this.journal.clear()
    this.cache.clear()
    this.keys.disabled.clear()
    this.cache.minTokens = this.#initial.cacheMinTokens
    this.cache.weight = 1
    this.settings.delayMs = this.#initial.delayMs
    this.settings.windowTokens = usualWindow
  }
}
