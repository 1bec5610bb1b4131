import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Catalog } from '../lib/llm/catalog.js'
import { ConnectedModel, type Answerer } from '../lib/llm/connected-model.js'
import { SpendGate, type DayBudgets } from '../lib/llm/gate.js'
import { providerLoader, type ProviderOptions } from '../lib/llm/load-provider.js'
import { readConnection, toModelProvider, type ConnectionParts } from '../lib/llm/model-connection.js'
import { standardURL } from '../lib/llm/read-provider.js'
import { hasToolSearch } from '../lib/llm/tool-search.js'
import { createTransport } from '../lib/llm/transport.js'
import { Llm, type Known } from '../lib/llm/llm.js'
import type { Limits } from './config.js'

/** After how long the client is loaded unless it is needed before. */
const loadMs = 1_000

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
