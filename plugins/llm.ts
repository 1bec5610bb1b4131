import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Db } from '../db/index.js'
import { insertModelCall, type ModelCallRow, type Payer, type Purpose } from '../db/model-spend.js'
import { Catalog } from '../lib/llm/catalog.js'
import { ConnectedModel, type Answerer, type ReservedCall, type StreamOptions } from '../lib/llm/connected-model.js'
import { type ModelRequest, sizeOfTools } from '../lib/llm/encode-request.js'
import { SpendGate, type DayBudgets } from '../lib/llm/gate.js'
import { providerLoader, type ProviderOptions } from '../lib/llm/load-provider.js'
import { readConnection, toModelProvider, type ConnectionParts } from '../lib/llm/model-connection.js'
import { standardURL } from '../lib/llm/read-provider.js'
import { hasToolSearch } from '../lib/llm/tool-search.js'
import { createTransport } from '../lib/llm/transport.js'
import type { Charge, Turn } from '../lib/llm/turn.js'
import type { StoredModelConnection } from '../schemas/account/model-connection.js'
import type { Limits } from './config.js'

/** After how long the client is loaded unless it is needed before. */
const loadMs = 1_000

interface Known {
  db: Db
  /** By the environment, or the sandbox, or nobody. */
  installed: ConnectedModel
  /** @returns the encrypted description of the model that the workspace has connected */
  encryptedOf: (workspaceId: string) => Buffer | undefined
  decrypt: (workspaceId: string, encrypted: Buffer) => StoredModelConnection | undefined
  connect: (workspaceId: string, parts: ConnectionParts) => ConnectedModel
}

/** The models that are asked: the installation's, or the one that a workspace has connected. */
export class Llm {
  readonly installed: ConnectedModel
  #own = new Map<string, { encrypted: Buffer, stored: StoredModelConnection | undefined, model: ConnectedModel }>()

  constructor (private readonly known: Known) {
    this.installed = known.installed
  }

  /** @returns who answers in the workspace, as of the last read of its settings */
  of (workspaceId: string): ConnectedModel {
    return this.#ownOf(workspaceId)?.model ?? this.installed
  }

  /** @returns what the workspace has connected, also where the environment wins over it */
  storedOf (workspaceId: string): StoredModelConnection | undefined {
    const encrypted = this.known.encryptedOf(workspaceId)
    return encrypted && this.known.decrypt(workspaceId, encrypted)
  }

  /** @returns a model that is described and not connected, to be tried */
  describe (workspaceId: string, parts: ConnectionParts): ConnectedModel {
    return this.known.connect(workspaceId, parts)
  }

  /** @returns the model that is asked for the workspace where none is named */
  modelOf (workspaceId: string): string {
    return this.of(workspaceId).modelOf(workspaceId)
  }

  /** @returns the model that writes titles and notes, where it is another; undefined = the one of the conversation */
  smallModelOf (workspaceId: string): string | undefined {
    return this.of(workspaceId).smallModelOf(workspaceId)
  }

  /** @returns how large system prompt and tools are, in every request of a conversation */
  sizeOfPrefix ({ system, tools }: Pick<ModelRequest, 'system' | 'tools'>): number {
    return system.length + sizeOfTools(tools)
  }

  /** Looks up what a call of the payer needs, before it is made. */
  prepare (payer: Payer): Promise<void> {
    return this.of(payer.workspace_id).prepare(payer)
  }

  /** @throws as `ConnectedModel` */
  reserve (payer: Payer, request: ModelRequest, signal: AbortSignal): Promise<ReservedCall> {
    return this.of(payer.workspace_id).reserve(payer, request, signal)
  }

  /** @throws as `ConnectedModel` */
  stream (call: ReservedCall, options: StreamOptions): Promise<Turn> {
    return call.by.stream(call, options)
  }

  toRow (charge: Charge, { by, model }: ReservedCall): ModelCallRow {
    return by.toRow(charge, model)
  }

  /** Records what a call was charged, once for each row. */
  async record (payer: Payer, purpose: Purpose, row: ModelCallRow): Promise<void> {
    await insertModelCall(this.known.db, payer, purpose, row)
  }

  /** What was read of a workspace holds until its stored description is another. The environment wins over it. */
  #ownOf (workspaceId: string) {
    const encrypted = this.installed.answerer === 'provider' ? undefined : this.known.encryptedOf(workspaceId)
    const held = this.#own.get(workspaceId)
    if (encrypted === undefined) {
      if (held) this.#own.delete(workspaceId)
      return undefined
    }
    if (held?.encrypted === encrypted || held?.encrypted.equals(encrypted)) return held
    const stored = this.known.decrypt(workspaceId, encrypted)
    const model = stored ? this.known.connect(workspaceId, stored) : this.installed
    const made = { encrypted, stored, model }
    this.#own.set(workspaceId, made)
    return made
  }
}

const microsOf = (usd: number): number => usd * 1_000_000

const dayBudgetsOf = ({ budget_user_day_usd: user, budget_workspace_day_usd: workspace }: Limits): DayBudgets =>
  ({ user: microsOf(user), workspace: workspace === undefined ? undefined : microsOf(workspace) })

const ownOf = ({ config, secrets, workspaces }: FastifyInstance) => (id: string) => {
  const encrypted = workspaces.modelKeyOf(id)
  const key = encrypted && secrets.decrypt(`workspace|${id}|model_api_key`, encrypted)
  const { model } = workspaces.settingsOf(id)
  return {
    model: model ?? config.ANTHROPIC_MODEL,
    small: model === undefined ? config.ANTHROPIC_SMALL_MODEL : undefined,
    apiKey: key ?? config.provider?.apiKey
  }
}

/** What every model that is asked here has in common. */
const commonOf = (app: FastifyInstance) => ({
  windows: app.config.windows,
  gate: new SpendGate(app.db, (workspaceId) => dayBudgetsOf(app.workspaces.limitsOf(workspaceId)), app.log)
})

type Common = ReturnType<typeof commonOf>

/** The model of the environment, else the sandbox, else nobody. */
const install = (app: FastifyInstance, common: Common): ConnectedModel => {
  const { provider, ANTHROPIC_MODEL, ANTHROPIC_SMALL_MODEL, ANTHROPIC_TOOL_SEARCH: by } = app.config
  const fallback = app.config.ANTHROPIC_FALLBACK_MODEL
  const transport = createTransport()
  app.addHook('onClose', async () => transport.close())
  const original: ProviderOptions = { kind: 'anthropic', baseURL: app.sandbox.anthropic ?? standardURL }
  const load = providerLoader(provider?.options ?? original, transport)
  const configured: Answerer = provider ? 'provider' : 'nobody'
  const answerer = app.sandbox.anthropic === undefined ? configured : 'stand_in'
  return new ConnectedModel({
    ...common,
    answerer,
    provider: load,
    catalog: new Catalog(async () => {
      if (answerer === 'nobody') throw new Error('no model is configured')
      return (await load()).listAs(provider?.apiKey)
    }, app.log),
    fallback,
    configured: [ANTHROPIC_MODEL, ANTHROPIC_SMALL_MODEL, fallback].filter((name) => name !== undefined),
    prices: app.config.prices,
    ownOf: ownOf(app),
    searchesTools: (model) => hasToolSearch(by, model, provider?.isOriginal ?? app.sandbox.anthropic === undefined),
    isCloud: provider !== undefined && provider.options.kind !== 'anthropic'
  })
}

/** Makes models of what people describe: their addresses are dialled as all that people name. */
const connector = (app: FastifyInstance, common: Common): Known['connect'] => {
  const transports = {
    fixed: createTransport(),
    listed: createTransport(app.outbound.lookup(true)),
    open: createTransport(app.outbound.lookup(false))
  }
  app.addHook('onClose', async () => Object.values(transports).forEach((transport) => transport.close()))
  const transportFor = ({ address }: ConnectionParts) => {
    if (address === undefined) return transports.fixed
    return app.outbound.allows(address) ? transports.listed : transports.open
  }
  return (workspaceId, parts) => {
    const { model, price } = parts
    const { options, apiKey, isOriginal } = toModelProvider(parts, workspaceId, app.config.AWS_ENDPOINT_URL)
    const load = providerLoader(options, transportFor(parts))
    return new ConnectedModel({
      ...common,
      answerer: 'provider',
      provider: load,
      catalog: new Catalog(async () => (await load()).listAs(apiKey), app.log),
      fallback: undefined,
      configured: [model],
      prices: price ? app.config.prices.with(model, price) : app.config.prices,
      ownOf: () => ({ model, apiKey }),
      searchesTools: (name) => hasToolSearch('auto', name, isOriginal),
      isCloud: options.kind !== 'anthropic'
    })
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    llm: Llm
  }
}

export default fp(
  async (app) => {
    const common = commonOf(app)
    const installed = install(app, common)
    let soon: NodeJS.Timeout | undefined
    app.addHook('onListen', async () => {
      // Not at once: reading it would hold back the first answers.
      const early = () => { installed.warm().catch((error: unknown) => app.log.error(error, 'model client')) }
      soon = setTimeout(early, loadMs).unref()
    })
    app.addHook('onClose', async () => clearTimeout(soon))
    app.decorate('llm', new Llm({
      db: app.db,
      installed,
      encryptedOf: (workspaceId) => app.workspaces.modelConnectionOf(workspaceId),
      decrypt: (workspaceId, encrypted) => {
        const stored = readConnection(app.secrets.decrypt(`workspace|${workspaceId}|model_connection`, encrypted))
        if (!stored) app.log.error({ workspace_id: workspaceId }, 'the model of a workspace cannot be read: connect it')
        return stored
      },
      connect: connector(app, common)
    }))
  },
  { name: 'llm', dependencies: ['config', 'sandbox', 'db', 'secrets', 'workspaces', 'outbound'] }
)
