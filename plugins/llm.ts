import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { v7 as uuid } from 'uuid'
import type { Db } from '../db/index.js'
import { insertModelCall, type ModelCallRow, type Payer, type Purpose } from '../db/model-spend.js'
import { Catalog, type ListedModel } from '../lib/llm/catalog.js'
import { modelStalled } from '../lib/llm/errors.js'
import { SpendGate, type DayBudgets, type Hold } from '../lib/llm/gate.js'
import type { PriceBook } from '../lib/llm/prices.js'
import type { WindowBook } from '../lib/llm/windows.js'
import type { Limits } from './config.js'
import { encodeRequest, type ModelRequest } from '../lib/llm/encode-request.js'
import { sizeOfTools } from '../lib/llm/encode-tools.js'
import { providerLoader, type Provider, type ProviderOptions } from '../lib/llm/load-provider.js'
import { standardURL } from '../lib/llm/read-provider.js'
import { hasToolSearch } from '../lib/llm/tool-search.js'
import { Overload } from '../lib/llm/overload.js'
import { createTransport } from '../lib/llm/transport.js'
import { TurnReader } from '../lib/llm/reader.js'
import { tokensIn, TurnBuilder, type Charge, type Turn, type Usage } from '../lib/llm/turn.js'

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
  readonly model: string
  /** Taken out when it is sent, as it is large and a stream is long. */
  readonly body: Buffer[]
  readonly bytes: number
  readonly hold: Hold
}

/** Who answers: a provider by its configuration, the sandbox, or none. */
export type Answerer = 'provider' | 'stand_in' | 'nobody'

/** After how long the client is loaded unless it is needed before. */
const loadMs = 1_000

const nothing: Usage = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 }

interface Known {
  model: string
  answerer: Answerer
  prices: PriceBook
  windows: WindowBook
  catalog: Catalog
  gate: SpendGate
  db: Db
  /** @returns the models of the workspace, and the key with which they are asked */
  ownOf: (workspaceId: string) => { model: string, small?: string | undefined, apiKey: string | undefined }
  fallback: string | undefined
  /** Models of the installation's configuration. */
  configured: readonly string[]
  /** @returns whether the server of the model finds deferred tools itself */
  searchesTools: (model: string) => boolean
  /** The models are those of Bedrock or Vertex. */
  isCloud: boolean
}

/** The model behind the Messages API. The loop is ours: its events are rows before anything acts on them. */
export class Llm {
  readonly model: string
  readonly answerer: Answerer
  /** That goes on with chats while the first is overloaded. */
  readonly fallback: string | undefined
  readonly overload = new Overload()

  constructor (private readonly provider: () => Promise<Provider>, private readonly known: Known) {
    this.model = known.model
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

  /** @returns how large system prompt and tools are, in every request of a conversation */
  sizeOfPrefix ({ system, tools }: Pick<ModelRequest, 'system' | 'tools'>): number {
    return system.length + sizeOfTools(tools)
  }

  /** @returns how many tokens the model's server counts in the texts; undefined = it does not count, or is away */
  async countTokens (workspaceId: string, model: string, texts: readonly string[]): Promise<number | undefined> {
    if (this.answerer === 'nobody') return undefined
    try {
      const { countAs } = await this.provider()
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
    return { model, body, bytes, hold: await this.known.gate.reserve(payer, this.cost(most, model) ?? 0, signal) }
  }

  /**
   * One streamed model call.
   * @throws ModelError with code, whether a repetition may help, and after how long; AbortError by the signal
   */
  async stream ({ body, bytes, hold }: ReservedCall, options: StreamOptions): Promise<Turn> {
    const { sendAs, toModelError } = await this.provider()
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
  cost (usage: Usage, model = this.model): number | null {
    return this.answerer === 'stand_in' ? 0 : this.known.prices.cost(model, usage)
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

  /** Records what a call was charged, once for each row. */
  async record (payer: Payer, purpose: Purpose, row: ModelCallRow): Promise<void> {
    await insertModelCall(this.known.db, payer, purpose, row)
  }
}

const microsOf = (usd: number): number => usd * 1_000_000

const dayBudgetsOf = ({ budget_user_day_usd: user, budget_workspace_day_usd: workspace }: Limits): DayBudgets =>
  ({ user: microsOf(user), workspace: workspace === undefined ? undefined : microsOf(workspace) })

const ownOf = ({ config, secrets, workspaces }: FastifyInstance): Known['ownOf'] => (id) => {
  const encrypted = workspaces.modelKeyOf(id)
  const key = encrypted && secrets.decrypt(`workspace|${id}|model_api_key`, encrypted)
  const { model } = workspaces.settingsOf(id)
  return {
    model: model ?? config.ANTHROPIC_MODEL,
    small: model === undefined ? config.ANTHROPIC_SMALL_MODEL : undefined,
    apiKey: key ?? config.provider?.apiKey
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    llm: Llm
  }
}

export default fp(
  async (app) => {
    const { provider, ANTHROPIC_MODEL, ANTHROPIC_TOOL_SEARCH: by } = app.config
    const fallback = app.config.ANTHROPIC_FALLBACK_MODEL
    const transport = createTransport()
    app.addHook('onClose', async () => transport.close())
    const original: ProviderOptions = { kind: 'anthropic', baseURL: app.sandbox.anthropic ?? standardURL }
    const load = providerLoader(provider?.options ?? original, transport)
    let soon: NodeJS.Timeout | undefined
    app.addHook('onListen', async () => {
      // Not at once: reading it would hold back the first answers.
      const early = () => {
        load().then(() => catalog.readNow(), (error: unknown) => app.log.error(error, 'model client'))
      }
      soon = setTimeout(early, loadMs).unref()
    })
    app.addHook('onClose', async () => clearTimeout(soon))
    const configured = provider ? 'provider' : 'nobody'
    const answerer = app.sandbox.anthropic === undefined ? configured : 'stand_in'
    const catalog = new Catalog(async () => {
      if (answerer === 'nobody') throw new Error('no model is configured')
      return (await load()).listAs(provider?.apiKey)
    }, app.log)
    app.decorate('llm', new Llm(load, {
      model: ANTHROPIC_MODEL,
      answerer,
      catalog,
      fallback,
      configured: [ANTHROPIC_MODEL, app.config.ANTHROPIC_SMALL_MODEL, fallback].filter((name) => name !== undefined),
      prices: app.config.prices,
      windows: app.config.windows,
      gate: new SpendGate(app.db, (workspaceId) => dayBudgetsOf(app.workspaces.limitsOf(workspaceId)), app.log),
      db: app.db,
      ownOf: ownOf(app),
      searchesTools: (model) => hasToolSearch(by, model, provider?.isOriginal ?? app.sandbox.anthropic === undefined),
      isCloud: provider !== undefined && provider.options.kind !== 'anthropic'
    }))
  },
  { name: 'llm', dependencies: ['config', 'sandbox', 'db', 'secrets', 'workspaces'] }
)
