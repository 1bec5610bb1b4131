import { v7 as uuid } from 'uuid'
import type { FastifyInstance } from 'fastify'
import type { ModelCallRow, Payer } from '../../db/model-spend.js'
import type { Catalog, ListedModel } from './catalog.js'
import type { ModelCall } from '../telemetry/events.js'
import { encodeRequest, type ModelRequest } from './encode-request.js'
import { modelStalled } from './errors.js'
import type { Hold, SpendGate } from './gate.js'
import type { Provider } from './load-provider.js'
import type { PriceBook, WindowBook } from './windows.js'
import { TurnReader } from './reader.js'
import { tokensIn, TurnBuilder, type Charge, type Turn, type Usage } from './turn.js'

/** @returns what reports the model calls of a generation to telemetry */
export const recordCallsOf = (deps: Pick<FastifyInstance, 'telemetry'>, generationId: string):
((call: ModelCall) => void) => (call) =>
  deps.telemetry.record({ type: 'model_call', generation_id: generationId, ...call })

/** For so long a model that was overloaded is not asked, where another can be. */
const restMs = 60_000

/**
 * Which models are overloaded, as far as this process knows. After its rest a model is tried once: if it is still
 * overloaded, it rests again, and nobody waits for all the repetitions.
 */
class Overload {
  readonly #until = new Map<string, number>()

  /** @returns whether it rests */
  isResting (model: string): boolean {
    return (this.#until.get(model) ?? 0) > performance.now()
  }

  /** @returns whether its last rest has ended, and nobody has reached it since */
  isOnTrial (model: string): boolean {
    return this.#until.has(model) && !this.isResting(model)
  }

  /** It was overloaded, in spite of repetitions. */
  rest (model: string): void {
    this.#until.set(model, performance.now() + restMs)
  }

  /** It has answered. */
  reached (model: string): void {
    if (this.#until.size > 0) this.#until.delete(model)
  }
}

export interface StreamOptions {
  signal: AbortSignal
  idleMs: number
  /** Called once for the text of all events that arrived together. */
  onText: (text: string) => void | Promise<void>
  /** Called with what a call is charged that gave no whole turn. */
  onBroken?: (charge: Charge) => void
}

/** A model call that may be made: its request as it is sent, and what is reserved for it. */
export interface ReservedCall {
  /** Who is asked, also where another model has been connected meanwhile. */
  readonly by: ConnectedModel
  readonly model: string
  /** Taken out when it is sent, as it is large and a stream is long. */
  readonly body: Buffer[]
  readonly bytes: number
  readonly hold: Hold
}

/** Who answers: a provider, the sandbox, or none. */
export type Answerer = 'provider' | 'stand_in' | 'nobody'

const nothing: Usage = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 }

export interface Known {
  answerer: Answerer
  provider: () => Promise<Provider>
  prices: PriceBook
  windows: WindowBook
  catalog: Catalog
  gate: SpendGate
  /** @returns the models of the workspace, and the key with which they are asked */
  ownOf: (workspaceId: string) => { model: string, small?: string | undefined, apiKey: string | undefined }
  fallback: string | undefined
  /** Models that may be asked without being listed. */
  configured: readonly string[]
  /** @returns whether the server of the model finds deferred tools itself */
  searchesTools: (model: string) => boolean
  /** The models are those of Bedrock or Vertex. */
  isCloud: boolean
}

/** A model behind the Messages API. The loop is ours: its events are rows before anything acts on them. */
export class ConnectedModel {
  readonly answerer: Answerer
  /** That goes on with chats while the first is overloaded. */
  readonly fallback: string | undefined
  readonly overload = new Overload()

  constructor (private readonly known: Known) {
    this.answerer = known.answerer
    this.fallback = known.fallback
  }

  /** @returns the model that is asked for the workspace where none is named */
  modelOf (workspaceId: string): string {
    return this.known.ownOf(workspaceId).model
  }

  /** @returns the model that writes titles and notes, where it is another; undefined = the one of the conversation */
  smallModelOf (workspaceId: string): string | undefined {
    return this.known.ownOf(workspaceId).small
  }

  /** @returns whether the server of the model finds deferred tools itself */
  searchesTools (model: string): boolean {
    return this.known.searchesTools(model)
  }

  /** @returns how many tokens request and answer may have together */
  windowOf (model: string): number {
    return this.known.windows.of(model, this.known.catalog.find(model)?.window)
  }

  /** @returns how many tokens an answer may have at most */
  maxOutputOf (model: string): number {
    return this.known.catalog.find(model)?.max_output ?? Infinity
  }

  /** @returns the provider's models; undefined when it gave no list */
  listModels (): Promise<readonly ListedModel[] | undefined> {
    return this.known.catalog.list()
  }

  /** Has the provider's models read before they are asked for. */
  warm (): Promise<void> {
    return this.known.provider().then(() => this.known.catalog.readNow())
  }

  /** @returns what the provider lists of a model, as far as its list was read */
  listed (model: string): ListedModel | undefined {
    return this.known.catalog.find(model)
  }

  /** @returns whether a model may be chosen: its provider lists it, or gave no list, or it is configured here */
  async isListed (model: string): Promise<boolean> {
    if (this.known.configured.includes(model) || !await this.listModels()) return true
    return (this.listed(model)?.lifecycle ?? 'retired') !== 'retired'
  }

  /** @returns the models that are asked without being chosen by a session */
  configuredFor (workspaceId: string): string[] {
    return [...new Set([this.modelOf(workspaceId), ...this.known.configured])]
  }

  /** The provider has named the model's window. */
  learnWindow (model: string, tokens: number): void {
    this.known.windows.learn(model, tokens)
  }

  /** @returns how many tokens the model's server counts in the texts; undefined = it does not count, or is away */
  async countTokens (workspaceId: string, model: string, texts: readonly string[]): Promise<number | undefined> {
    if (this.answerer === 'nobody') return undefined
    try {
      const { countAs } = await this.known.provider()
      const { apiKey } = this.known.ownOf(workspaceId)
      let sum = 0
      for (const text of texts) sum += await countAs(apiKey, model, text)
      return sum
    } catch {
      // An estimate by length stands in for it: whoever waits for the estimate needs no reason.
      return undefined
    }
  }

  /** Looks up what a call of the payer needs, before it is made. */
  prepare (payer: Payer): Promise<void> {
    this.known.catalog.refreshSoon()
    return this.known.gate.prepare(payer)
  }

  /**
   * Reserves what a call may cost of its payer's day; whoever made the call releases it once its charge is recorded.
   * @throws DayBudgetReached, the signal's reason when it aborts
   */
  async reserve (payer: Payer, request: ModelRequest, signal: AbortSignal): Promise<ReservedCall> {
    const { model, max_tokens } = request
    const body = encodeRequest(request, this.known.isCloud)
    const bytes = body.reduce((sum, part) => sum + part.length, 0)
    const most = { ...nothing, input_tokens: tokensIn(bytes), output_tokens: max_tokens }
    const hold = await this.known.gate.reserve(payer, this.cost(most, model) ?? 0, signal)
    return { by: this, model, body, bytes, hold }
  }

  /**
   * One streamed model call.
   * @throws ModelError with code, whether a repetition may help, and after how long; AbortError by the signal
   */
  async stream ({ body, bytes, hold }: ReservedCall, options: StreamOptions): Promise<Turn> {
    const { sendAs, toModelError } = await this.known.provider()
    const { apiKey } = this.known.ownOf(hold.payer.workspace_id)
    const { signal, idleMs, onText } = options
    const turn = new TurnBuilder()
    let stalled = false
    const idle = { ms: idleMs, onIdle: () => { stalled = true } }
    let requestId: string | null = null
    try {
      const answer = await sendAs(apiKey)({ body: body.splice(0), signal, idle })
      requestId = answer.requestId
      await new TurnReader(answer.body, turn, onText).read()
      return turn.finish(requestId, bytes)
    } catch (error) {
      // The input is charged as soon as the model has read it.
      if (turn.started) options.onBroken?.(turn.charge(requestId, bytes))
      if (signal.aborted) throw signal.reason
      throw stalled ? modelStalled() : toModelError(error)
    }
  }

  /** @returns micro-dollars; 0 for the sandbox, null for a model whose price is not known */
  cost (usage: Usage, model: string): number | null {
    return this.answerer === 'stand_in' ? 0 : this.known.prices.cost(model, usage)
  }

  /** @returns US dollars per million tokens; null = the price is not known */
  priceOf (model: string): { input: number, output: number } | null {
    return this.known.prices.priceOf(model)
  }

  isPriced (model: string): boolean {
    return this.answerer === 'stand_in' || this.known.prices.has(model)
  }

  /**
   * @param asked the model that was asked; one that answered instead, and whose price is known, is the one that is paid
   * @returns the charge as it is recorded
   */
  toRow (charge: Charge, asked: string): ModelCallRow {
    const { usage, model: answered, request_id, estimated = false } = charge
    const model = answered !== undefined && this.isPriced(answered) ? answered : asked
    return {
      id: uuid(),
      model,
      input_tokens: usage.input_tokens,
      cache_write_tokens: usage.cache_write_tokens,
      cache_read_tokens: usage.cache_read_tokens,
      output_tokens: usage.output_tokens,
      cost_usd_micros: this.cost(usage, model) ?? 0,
      provider_request_id: request_id,
      estimated
    }
  }
}
