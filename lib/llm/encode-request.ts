import type {
  MessageCreateParamsBase, MessageParam, OutputConfig, ToolUnion
} from '@anthropic-ai/sdk/resources/messages'
import { markEnd } from './breakpoints.js'
import { encodeTools } from './encode-tools.js'
import type { Thinking } from './thinking.js'

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
