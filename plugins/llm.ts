import type Anthropic from '@anthropic-ai/sdk'
import type { MessageCreateParamsBase, MessageParam, ToolUnion } from '@anthropic-ai/sdk/resources/messages'
import fp from 'fastify-plugin'
import type { SendStreamed } from './llm-client.js'
import { modelStalled } from './llm-errors.js'
import { costOf } from './llm-prices.js'
import { createTransport } from './llm-transport.js'
import { TurnReader } from './llm-reader.js'
import { TurnBuilder, type Turn, type Usage } from './llm-turn.js'

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
  /** Called with what is known to be charged for a call that gave no whole turn. */
  onBroken?: (usage: Usage) => void
}

/** Who answers: a provider by its configuration, the stand-in, or nobody. */
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

const encodedTools = new WeakMap<readonly ToolUnion[], Buffer>()

/** The tools as the last member of a request. They are most of its bytes, so each list is encoded once. */
const encodeTools = (tools: readonly ToolUnion[]): Buffer => {
  const known = encodedTools.get(tools)
  if (known) return known
  const made = Buffer.from(tools.length > 0 ? `,"tools":${JSON.stringify(tools)}}` : '}')
  encodedTools.set(tools, made)
  return made
}

/** In parts, so that the tools are sent as they lie there and not copied for every call. */
const encode = ({ tools, ...request }: ModelRequest): Buffer[] =>
  [Buffer.from(JSON.stringify(toParams(request)).slice(0, -1)), encodeTools(tools)]

/** After how long the client is loaded unless somebody needs it before. */
const loadMs = 1_000

/** The provider's client with its errors, loaded when it is first needed: a start does not wait for it. */
interface Provider { client: Anthropic, sendStreamed: SendStreamed, toModelError: (error: unknown) => Error }

/** The model behind the Messages API. The loop is ours: its events are rows before anything acts on them. */
export class Llm {
  constructor (
    private readonly provider: () => Promise<Provider>,
    readonly model: string,
    readonly answerer: Answerer
  ) {}

  /**
   * One streamed model call.
   * @throws ModelError with code, whether a repetition may help, and after how long; AbortError by the signal
   */
  async stream (request: ModelRequest, options: StreamOptions): Promise<Turn> {
    const { sendStreamed, toModelError } = await this.provider()
    const { signal, idleMs, onText } = options
    const turn = new TurnBuilder()
    let stalled = false
    const idle = { ms: idleMs, onIdle: () => { stalled = true } }
    try {
      const body = await sendStreamed({ body: encode(request), signal, idle })
      await new TurnReader(body, turn, onText).read()
      return turn.finish(body.headers['request-id']?.toString() ?? null)
    } catch (error) {
      // The input is told first and charged as soon as the model has read it.
      const { usage } = turn.finish(null)
      if (usage.input_tokens + usage.cache_write_tokens + usage.cache_read_tokens > 0) options.onBroken?.(usage)
      if (signal.aborted) throw signal.reason
      throw stalled ? modelStalled() : toModelError(error)
    }
  }

  /** One short answer, not streamed. @throws ModelError */
  async complete (request: Omit<ModelRequest, 'tools'>, timeoutMs: number): Promise<{ text: string; usage: Usage }> {
    const { client, toModelError } = await this.provider()
    try {
      const message = await client.messages.create(
        {
          model: request.model,
          max_tokens: request.max_tokens,
          system: request.system,
          messages: request.messages
        },
        { signal: AbortSignal.timeout(timeoutMs), maxRetries: 1 }
      )
      const text = message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
      const { usage } = message
      return {
        text,
        usage: {
          input_tokens: usage.input_tokens,
          output_tokens: usage.output_tokens,
          cache_write_tokens: usage.cache_creation_input_tokens ?? 0,
          cache_read_tokens: usage.cache_read_input_tokens ?? 0
        }
      }
    } catch (error) {
      throw toModelError(error)
    }
  }

  /** @returns micro-dollars; 0 for the sandbox, null for a model whose price is not known */
  cost (usage: Usage, model = this.model): number | null {
    return this.answerer === 'stand_in' ? 0 : costOf(model, usage)
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    llm: Llm
  }
}

export default fp(
  async (app) => {
    const { ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, ANTHROPIC_MODEL } = app.config
    const transport = createTransport()
    app.addHook('onClose', async () => transport.close())
    const options = {
      apiKey: ANTHROPIC_API_KEY ?? 'none',
      baseURL: app.sandbox.anthropic ?? ANTHROPIC_BASE_URL ?? 'https://api.anthropic.com',
      fetch: transport.fetch
    }
    let loaded: Promise<Provider> | undefined
    const load = () => {
      loaded ??= import('./llm-client.js')
        .then(({ createClient, makeSendStreamed, toModelError }) => {
          const client = createClient(options)
          return { client, sendStreamed: makeSendStreamed(client, transport.send), toModelError }
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
    app.decorate('llm', new Llm(load, ANTHROPIC_MODEL, app.sandbox.anthropic === undefined ? configured : 'stand_in'))
  },
  { name: 'llm', dependencies: ['config', 'sandbox'] }
)
