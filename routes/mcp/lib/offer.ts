import type {
  CallToolResult, GetPromptResult, InputRequiredResult, ListResourcesResult, Prompt, ReadResourceResult,
  ResourceTemplateType, ServerCapabilities, ServerContext, Tool
} from '@modelcontextprotocol/server'
import type { Arguments } from '../../../lib/tools/options.js'

/** One call of a client. */
export interface ToolRequest {
  name: string
  args: Arguments
  /** The client takes a task for what does not answer at once. */
  asTask: boolean
  /** The client has given up. */
  signal: AbortSignal
  /** Says how far a call is that lasts; undefined where the client did not ask for it. */
  progress: ((progress: Progress) => Promise<void>) | undefined
}

export interface Progress { progress: number, total: number, message: string }

export type ResourcePage = ListResourcesResult

type OrInput<Result> = Promise<Result | InputRequiredResult | undefined>

/** What a server offers to one client. Nothing is kept between two messages; what is not there is undefined. */
export interface Offer {
  /** Beside what follows from the parts that are there. */
  capabilities?: ServerCapabilities
  tools?: { list: () => Tool[], call: (request: ToolRequest, context: ServerContext) => OrInput<CallToolResult> }
  resources?: {
    templates: () => ResourceTemplateType[]
    /** Undefined for a cursor that no list has given. */
    list: (cursor: string | undefined) => Promise<ResourcePage | undefined>
    read: (uri: string) => OrInput<ReadResourceResult>
  }
  prompts?: {
    list: () => Prompt[]
    get: (name: string, args: Record<string, string>, context: ServerContext) => OrInput<GetPromptResult>
  }
}
