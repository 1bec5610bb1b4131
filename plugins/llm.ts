import type { MessageCreateParamsBase, MessageParam, ToolUnion } from '@anthropic-ai/sdk/resources/messages'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { v7 as uuid } from 'uuid'
import type { Db } from '../db/index.js'
import { insertModelCall, type ModelCallRow, type Payer, type Purpose } from '../db/model-spend.js'
import type { SendStreamed } from '../lib/llm/client.js'
import { modelStalled } from '../lib/llm/errors.js'
import { SpendGate, type DayBudgets, type Hold } from '../lib/llm/gate.js'
import type { PriceBook } from '../lib/llm/prices.js'
import type { WindowBook } from '../lib/llm/windows.js'
import type { Limits } from './config.js'
import { encodeTools, sizeOfTools } from '../lib/llm/encode-tools.js'
import { hasToolSearch } from '../lib/llm/tool-search.js'
import { createTransport } from '../lib/llm/transport.js'
import { TurnReader } from '../lib/llm/reader.js'
import { tokensIn, TurnBuilder, type Charge, type Turn, type Usage } from '../lib/llm/turn.js'

export interface ModelRequest {
  model: string
  system: string
  messages: MessageParam[]
  /** Never changed once it was sent: its bytes are kept. */
  tools: readonly ToolUnion[]
  max_tokens: number
  /** The JSON schema that the answer's text fits. */
  output_schema?: Record<string, unknown>
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
  readonly model: string
  /** Taken out when it is sent, as it is large and a stream is long. */
  readonly body: Buffer[]
  readonly bytes: number
  readonly hold: Hold
}

/** Who answers: a provider by its configuration, the sandbox, or none. */
export type Answerer = 'provider' | 'stand_in' | 'nobody'

/**
 * The prompt cache is a byte-exact prefix, tools then system then messages: one breakpoint after the system prompt,
 * which lives an hour because approvals take their time, and an automatic one at the conversation's end.
 */
const toParams = (request: Omit<ModelRequest, 'tools'>): MessageCreateParamsBase => ({
  model: request.model,
  max_tokens: request.max_tokens,
  stream: true,
  system: [{ type: 'text', text: request.system, cache_control: { type: 'ephemeral', ttl: '1h' } }],
  cache_control: { type: 'ephemeral' },
  messages: request.messages,
  ...(request.output_schema && { output_config: { format: { type: 'json_schema', schema: request.output_schema } } })
})

/** In parts, so that the tools are sent as they lie there and not copied for every call. */
const encode = ({ tools, ...request }: ModelRequest): Buffer[] =>
  [Buffer.from(JSON.stringify(toParams(request)).slice(0, -1)), encodeTools(tools)]

/** After how long the client is loaded unless it is needed before. */
const loadMs = 1_000

/** The provider's client with its errors, loaded when it is first needed: a start does not wait for it. */
interface Provider { sendAs: (apiKey: string) => SendStreamed, toModelError: (error: unknown) => Error }

const nothing: Usage = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 }

interface Known {
  model: string
  answerer: Answerer
  prices: PriceBook
  windows: WindowBook
  gate: SpendGate
  db: Db
  /** @returns the model of the workspace, and the key with which it is asked */
  ownOf: (workspaceId: string) => { model: string, apiKey: string }
  /** @returns whether the server of the model finds deferred tools itself */
  searchesTools: (model: string) => boolean
}

/** The model behind the Messages API. The loop is ours: its events are rows before anything acts on them. */
export class Llm {
  readonly model: string
  readonly answerer: Answerer

  constructor (private readonly provider: () => Promise<Provider>, private readonly known: Known) {
    this.model = known.model
    this.answerer = known.answerer
  }

  /** @returns the model that is asked for the workspace where none is named */
  modelOf (workspaceId: string): string {
    return this.known.ownOf(workspaceId).model
  }

  /** @returns whether the server of the model finds deferred tools itself */
  searchesTools (model: string): boolean {
    return this.known.searchesTools(model)
  }

  /** @returns how many tokens request and answer may have together */
  windowOf (model: string): number {
    return this.known.windows.of(model)
  }

  /** The provider has named the model's window. */
  learnWindow (model: string, tokens: number): void {
    this.known.windows.learn(model, tokens)
  }

  /** @returns how large system prompt and tools are, in every request of a conversation */
  sizeOfPrefix ({ system, tools }: Pick<ModelRequest, 'system' | 'tools'>): number {
    return system.length + sizeOfTools(tools)
  }

  /** Looks up what a call of the payer needs, before it is made. */
  prepare (payer: Payer): Promise<void> {
    return this.known.gate.prepare(payer)
  }

  /**
   * Reserves what a call may cost of its payer's day; whoever made the call releases it once its charge is recorded.
   * @throws DayBudgetReached, the signal's reason when it aborts
   */
  async reserve (payer: Payer, request: ModelRequest, signal: AbortSignal): Promise<ReservedCall> {
    const { model, max_tokens } = request
    const body = encode(request)
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
      requestId = answer.headers['request-id']?.toString() ?? null
      await new TurnReader(answer, turn, onText).read()
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

const maxKept = 100

/** Makes what belongs to a key once, as long as there are not many of them. */
const keepOne = <T>(make: (key: string) => T): ((key: string) => T) => {
  const kept = new Map<string, T>()
  return (key) => {
    const made = kept.get(key) ?? make(key)
    if (kept.size >= maxKept && !kept.has(key)) kept.clear()
    kept.set(key, made)
    return made
  }
}

const ownOf = ({ config, secrets, workspaces }: FastifyInstance): Known['ownOf'] => (id) => {
  const encrypted = workspaces.modelKeyOf(id)
  const key = encrypted && secrets.decrypt(`workspace|${id}|model_api_key`, encrypted)
  return {
    model: workspaces.settingsOf(id).model ?? config.ANTHROPIC_MODEL,
    apiKey: key ?? config.ANTHROPIC_API_KEY ?? 'none'
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    llm: Llm
  }
}

export default fp(
  async (app) => {
    const { ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, ANTHROPIC_MODEL, ANTHROPIC_TOOL_SEARCH: by } = app.config
    const isProvider = app.sandbox.anthropic === undefined && ANTHROPIC_BASE_URL === undefined
    const transport = createTransport()
    app.addHook('onClose', async () => transport.close())
    const options = {
      baseURL: app.sandbox.anthropic ?? ANTHROPIC_BASE_URL ?? 'https://api.anthropic.com',
      fetch: transport.fetch
    }
    let loaded: Promise<Provider> | undefined
    const load = () => {
      loaded ??= import('../lib/llm/client.js')
        .then(({ createClient, makeSendStreamed, toModelError }) => {
          const make = (apiKey: string) => makeSendStreamed(createClient({ ...options, apiKey }), transport.send)
          return { sendAs: keepOne(make), toModelError }
        })
        .catch((error: unknown) => {
          // What could not be read may be readable again; Node 20 remembers the failure all the same.
          loaded = undefined
          throw error
        })
      return loaded
    }
    let soon: NodeJS.Timeout | undefined
    app.addHook('onListen', async () => {
      // Not at once: reading it would hold back the first answers.
      const early = () => { load().catch((error: unknown) => app.log.error(error, 'model client')) }
      soon = setTimeout(early, loadMs).unref()
    })
    app.addHook('onClose', async () => clearTimeout(soon))
    const configured = ANTHROPIC_API_KEY ?? ANTHROPIC_BASE_URL ? 'provider' : 'nobody'
    app.decorate('llm', new Llm(load, {
      model: ANTHROPIC_MODEL,
      answerer: app.sandbox.anthropic === undefined ? configured : 'stand_in',
      prices: app.config.prices,
      windows: app.config.windows,
      gate: new SpendGate(app.db, (workspaceId) => dayBudgetsOf(app.workspaces.limitsOf(workspaceId)), app.log),
      db: app.db,
      ownOf: ownOf(app),
      searchesTools: (model) => hasToolSearch(by, model, isProvider)
    }))
  },
  { name: 'llm', dependencies: ['config', 'sandbox', 'db', 'secrets', 'workspaces'] }
)
