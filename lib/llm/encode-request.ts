import type {
  MessageCreateParamsBase, MessageParam, OutputConfig, ToolUnion, ThinkingConfigParam, ContentBlockParam
} from '@anthropic-ai/sdk/resources/messages'
import type { Effort } from '../../schemas/agent/models.js'

/** The least that the API takes as a budget. */
const leastBudget = 1_024

/** What is sent of it; what is left out is as the model has it. */
export interface Thinking { effort?: Effort, thinking?: ThinkingConfigParam }

/** What an answer may have for thinking where the model decides how long it thinks. */
const adaptiveTokens = 8_192

/**
 * @param thinking as `thinkingPattern` says; null = as the model has it
 * @param window of the model: a budget is at most a quarter of it
 * @returns the tokens that an answer has for thinking, beside those for what it says
 */
export const thinkingTokens = (thinking: string | null, window: number): number => {
  if (thinking === null || thinking === 'disabled') return 0
  if (thinking === 'adaptive') return Math.min(adaptiveTokens, Math.floor(window / 8))
  return Math.max(leastBudget, Math.min(Number(thinking), Math.floor(window / 4)))
}

/** @returns the member of the request; undefined = none is sent, as other servers of the API may not take one */
export const toThinking = (thinking: string | null, window: number): ThinkingConfigParam | undefined => {
  if (thinking === null) return undefined
  if (thinking === 'adaptive' || thinking === 'disabled') return { type: thinking }
  return { type: 'enabled', budget_tokens: thinkingTokens(thinking, window) }
}

const encodedTools = new WeakMap<readonly ToolUnion[], Buffer>()

/** The tools as the last member of a request. They are most of its bytes, so each list is encoded once. */
const encodeTools = (tools: readonly ToolUnion[]): Buffer => {
  const known = encodedTools.get(tools)
  if (known) return known
  const made = Buffer.from(tools.length > 0 ? `,"tools":${JSON.stringify(tools)}}` : '}')
  encodedTools.set(tools, made)
  return made
}

const toolSizes = new WeakMap<readonly ToolUnion[], number>()

/** @returns characters that the model reads of them, nearly: those that its server finds for it are sent, not read. */
export const sizeOfTools = (tools: readonly ToolUnion[]): number => {
  const known = toolSizes.get(tools)
  if (known !== undefined) return known
  const unread = tools.filter((tool) => 'defer_loading' in tool && tool.defer_loading)
  const size = encodeTools(tools).length - (unread.length > 0 ? JSON.stringify(unread).length : 0)
  toolSizes.set(tools, size)
  return size
}

/** The provider looks for a cached prefix at the twenty blocks before a breakpoint. */
const seen = 15

const marked = (content: ContentBlockParam[]): ContentBlockParam[] => content.map((block, index) =>
  // The last block of a message of the user is a text or a result: both take it.
  index === content.length - 1 ? { ...block, cache_control: { type: 'ephemeral' } } as ContentBlockParam : block)

const mark = (messages: MessageParam[], index: number): MessageParam[] => {
  const message = messages[index]
  if (!message || typeof message.content === 'string') return messages
  // The same message with one more field in a block.
  return messages.with(index, { ...message, content: marked(message.content) } as MessageParam)
}

/** For servers that do not do it themselves: the end of the conversation is cached. */
const markEnd = (messages: MessageParam[]): MessageParam[] => mark(messages, messages.length - 1)

/**
 * Requests end with a message of the user, and that is where the provider has cached them. A turn of many calls is
 * longer than what it looks back from the end, and would find nothing: such a request has a breakpoint where the one
 * before it ended, too. So has one whose later messages are not what they were.
 * @param unchanged how many of the first messages are, then; 0 = all
 */
export const markPrefixes = (messages: MessageParam[], unchanged: number): MessageParam[] => {
  const answer = messages.findLastIndex(({ role }) => role === 'assistant')
  const added = messages.slice(Math.max(0, answer)).reduce((sum, { content }) => sum + content.length, 0)
  const same = messages.slice(0, unchanged).findLastIndex(({ role }) => role === 'user')
  // One at most: tools, system prompt and the end have the other three of the four that a request may have.
  if (same >= 0) return mark(messages, same)
  return answer > 0 && added > seen ? mark(messages, answer - 1) : messages
}

export interface ModelRequest extends Thinking {
  model: string
  system: string
  messages: MessageParam[]
  /** Never changed once it was sent: its bytes are kept. */
  tools: readonly ToolUnion[]
  max_tokens: number
  /** The JSON schema that the answer's text fits. */
  output_schema?: Record<string, unknown>
}

const outputOf = ({ effort, output_schema: schema }: Omit<ModelRequest, 'tools'>): OutputConfig => ({
  ...(effort && { effort }),
  ...(schema && { format: { type: 'json_schema', schema } })
})

/**
 * The prompt cache is a byte-exact prefix, tools then system then messages: one breakpoint after the system prompt,
 * which lives an hour because approvals take their time, and an automatic one at the conversation's end.
 * @param isCloud it is for Bedrock or Vertex, which take no automatic breakpoint
 */
const toParams = (request: Omit<ModelRequest, 'tools'>, isCloud: boolean): MessageCreateParamsBase => ({
  model: request.model,
  max_tokens: request.max_tokens,
  stream: true,
  system: [{ type: 'text', text: request.system, cache_control: { type: 'ephemeral', ttl: '1h' } }],
  ...(!isCloud && { cache_control: { type: 'ephemeral' } }),
  messages: isCloud ? markEnd(request.messages) : request.messages,
  ...(request.thinking && { thinking: request.thinking }),
  ...(request.effort || request.output_schema ? { output_config: outputOf(request) } : {})
})

/** In parts, so that the tools are sent as they lie there and not copied for every call. */
export const encodeRequest = ({ tools, ...request }: ModelRequest, isCloud = false): Buffer[] =>
  [Buffer.from(JSON.stringify(toParams(request, isCloud)).slice(0, -1)), encodeTools(tools)]
