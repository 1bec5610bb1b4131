import type { ListedModel } from './catalog.js'
import type { SendStreamed } from './client.js'
import type { CloudOptions } from './clouds/send.js'
import type { createTransport } from './transport.js'

/** The provider's client with its errors, loaded when it is first needed: a start does not wait for it. */
export interface Provider {
  /** @param apiKey undefined = none is configured */
  sendAs: (apiKey: string | undefined) => SendStreamed
  listAs: (apiKey: string | undefined) => Promise<ListedModel[]>
  /** @throws where the provider counts no tokens */
  countAs: (apiKey: string | undefined, model: string, text: string) => Promise<number>
  toModelError: (error: unknown) => Error
}

/** Who serves the models, and where. */
export type ProviderOptions =
  { kind: 'anthropic', baseURL: string } |
  { kind: 'bedrock' | 'vertex' } & CloudOptions

type Transport = Pick<ReturnType<typeof createTransport>, 'send' | 'fetch'>

const maxKept = 100

/** Makes what belongs to a key once, as long as there are not many of them. */
const keepOne = <T>(make: (key: string | undefined) => T): ((key: string | undefined) => T) => {
  const kept = new Map<string | undefined, T>()
  return (key) => {
    const made = kept.get(key) ?? make(key)
    if (kept.size >= maxKept && !kept.has(key)) kept.clear()
    kept.set(key, made)
    return made
  }
}

const loadAnthropic = async (baseURL: string, { send, fetch }: Transport): Promise<Provider> => {
  const { countTokens, createClient, listModels, makeSendStreamed, toModelError } = await import('./client.js')
  // Servers of one's own may need no key, but the client does.
  const clientOf = (apiKey = 'none') => createClient({ baseURL, fetch, apiKey })
  return {
    sendAs: keepOne((apiKey) => makeSendStreamed(clientOf(apiKey), send)),
    listAs: (apiKey) => listModels(clientOf(apiKey)),
    countAs: (apiKey, model, text) => countTokens(clientOf(apiKey), model, text),
    toModelError
  }
}

const roads = {
  bedrock: async () => (await import('./clouds/bedrock.js')).bedrockRoad,
  vertex: async () => (await import('./clouds/vertex.js')).vertexRoad
}

const loadCloud = async (kind: keyof typeof roads, options: CloudOptions, { send }: Transport): Promise<Provider> => {
  const [makeRoad, { fetchStreamed, makeSendThrough }, { toCloudError }] =
    await Promise.all([roads[kind](), import('./clouds/send.js'), import('./clouds/errors.js')])
  const road = makeRoad(options, fetchStreamed(send))
  return {
    sendAs: keepOne((apiKey) => makeSendThrough(road, road.clientFor(apiKey))),
    listAs: async () => { throw new Error(`${kind} lists none in the form of the Messages API`) },
    countAs: async () => { throw new Error(`${kind} counts no tokens in the form of the Messages API`) },
    toModelError: toCloudError
  }
}

/** @returns a function that loads the client once, when it is first called: a start does not wait for it */
export const providerLoader = (options: ProviderOptions, transport: Transport): (() => Promise<Provider>) => {
  let loaded: Promise<Provider> | undefined
  const load = () => options.kind === 'anthropic'
    ? loadAnthropic(options.baseURL, transport)
    : loadCloud(options.kind, options, transport)
  return () => {
    loaded ??= load().catch((error: unknown) => {
      // What could not be read may be readable again; Node 20 remembers the failure all the same.
      loaded = undefined
      throw error
    })
    return loaded
  }
}
