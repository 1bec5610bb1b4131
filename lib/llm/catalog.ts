import type { FastifyBaseLogger } from 'fastify'
import { messageOf } from '../../schemas/unknown.js'
import { plainName } from './windows.js'

/** A model as its provider lists it; null = the provider does not say. */
export interface ListedModel {
  id: string
  name: string
  /** Tokens of request and answer together. */
  window: number | null
  max_output: number | null
  lifecycle: 'active' | 'deprecated' | 'retired' | null
  retires_at: string | null
  efforts: string[] | null
  thinking: string[] | null
  images: boolean | null
}

const freshMs = 24 * 3_600_000
/** A list that could not be read is asked for no sooner than this. */
const againMs = 600_000

/**
 * The provider's models. They are read after the start, and from then on only when they are asked for and what is known
 * is old, in the background: an instance that has nothing to do asks nothing.
 */
export class Catalog {
  #models: readonly ListedModel[] | undefined
  #byName = new Map<string, ListedModel>()
  #triedAt: number | undefined
  #isRead = false
  #reading: Promise<void> | undefined

  constructor (private readonly read: () => Promise<readonly ListedModel[]>, private readonly log: FastifyBaseLogger) {}

  /** @returns the model, by its name or by one without region and date; undefined = it is not listed, or nothing is */
  find (model: string): ListedModel | undefined {
    return this.#byName.get(model) ?? this.#byName.get(plainName(model))
  }

  /** @returns what is known, after the first reading; undefined when the list could not be read */
  async list (): Promise<readonly ListedModel[] | undefined> {
    if (this.#triedAt === undefined) void this.readNow()
    else this.refreshSoon()
    if (!this.#models) await this.#reading
    return this.#models
  }

  /** Has the list read again, behind whoever needs it, where it is old; it does nothing before the first reading. */
  refreshSoon (): void {
    if (this.#triedAt === undefined) return
    if (performance.now() - this.#triedAt > (this.#isRead ? freshMs : againMs)) void this.readNow()
  }

  /** After a failure, what was known holds on. */
  readNow (): Promise<void> {
    this.#triedAt = performance.now()
    this.#reading ??= this.#load().finally(() => { this.#reading = undefined })
    return this.#reading
  }

  async #load (): Promise<void> {
    this.#isRead = false
    try {
      const models = await this.read()
      this.#isRead = true
      this.#byName = new Map(models.flatMap((model): [string, ListedModel][] =>
        [[plainName(model.id), model], [model.id, model]]))
      this.#models = models
    } catch (error) {
      this.log.info({ reason: messageOf(error) }, 'the provider\'s models are not listed')
    }
  }
}
