import type { ContentBlockParam, MessageParam, ToolUnion } from '@anthropic-ai/sdk/resources/messages'
import type { AttachmentRow } from '../../../../db/agent/attachments.js'
import type { Measured } from '../../../../db/agent/commit-run.js'
import type { UsageRow } from '../../../../db/model-spend.js'
import { thinkingTokens, toThinking, type Thinking } from '../../../../lib/llm/encode-request.js'
import { finder } from '../../../../lib/tools/search.js'
import { textIn, fieldsOf, isObject } from '../../../../schemas/unknown.js'
import type { Deps, RunState } from '../run/run-state.js'

/** A file in a stored message: its bytes are read when it is sent. */
export type AttachmentBlock = { type: 'attachment' } & AttachmentRow

/** @returns the block if it is a file, which the API does not know: what is sent stands for it */
export const fileOf = (block: unknown): AttachmentBlock | undefined =>
  // Nothing else is stored under this type.
  textIn(block, 'type') === 'attachment' ? block as AttachmentBlock : undefined

/** How the result of the finder begins; nothing but our own code writes that into a result. */
const opening = `{"source":${JSON.stringify(finder)},`

const namesIn = (content: unknown): string[] => {
  if (typeof content !== 'string' || !content.startsWith(opening)) return []
  try {
    const { names } = fieldsOf(fieldsOf(JSON.parse(content)).content)
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  } catch {
    // A result that was shortened names nothing.
    return []
  }
}

/** @returns of a long result of the finder what is needed to offer what it found; undefined for any other result */
export const shortFound = (content: string): string | undefined => content.startsWith(opening)
  ? `${opening}"content":${JSON.stringify({ names: namesIn(content) })}}`
  : undefined

const foundIn = ({ role, content }: MessageParam): string[] => role === 'user' && typeof content !== 'string'
  ? content.flatMap((block) => isObject(block) && block.type === 'tool_result' ? namesIn(block.content) : [])
  : []

/** Reads out of the conversation what was found, as far as it was not looked through before. */
const lookForFound = ({ messages, tools }: RunState): void => {
  const fresh = messages.slice(tools.looked).flatMap(foundIn).filter((name) => !tools.found.includes(name))
  tools.found.push(...new Set(fresh))
  tools.looked = messages.length
}

/** Has those of the workspace's own tools read that the next model call may be offered. */
export const prepareTools = async (deps: Pick<Deps, 'tools' | 'llm'>, state: RunState): Promise<void> => {
  lookForFound(state)
  const { workspace_id: workspaceId } = state.principal
  if (deps.llm.of(workspaceId).searchesTools(state.model)) await deps.tools.own.load(workspaceId)
  else await deps.tools.prepare(workspaceId, state.tools.found)
}

/**
 * The tools of the next model call. What was found is read out of the conversation, which is stored: whoever goes on
 * with the run offers the same, in the same order.
 */
export const offerTools = (deps: Pick<Deps, 'tools' | 'llm'>, state: RunState): readonly ToolUnion[] => {
  const { principal, tools, model } = state
  lookForFound(state)
  const isSearchedByServer = deps.llm.of(principal.workspace_id).searchesTools(model)
  return deps.tools.offer({ principal, found: tools.found, isSearchedByServer })
}

/** Characters of JSON around a text or a result. */
const around = 60

/** Before the provider has counted a request: less than most texts have, so that the estimate is not too low. */
const assumed = 3

/** What an answer may be long at most, and twice of it where it was cut within a call. */
const longestAnswer = 8_192

/** Of the room for the conversation: an estimate may be too low. */
const safe = 0.95

/** @returns characters of a block as it is sent, nearly: texts are not read for it */
export const sizeOfBlock = (block: ContentBlockParam): number => {
  if (block.type === 'text') return block.text.length + around
  if (block.type === 'tool_result' && typeof block.content === 'string') return block.content.length + around
  return (fileOf(block)?.tokens ?? 0) * assumed + JSON.stringify(block).length
}

export const sizeOfBlocks = (blocks: readonly ContentBlockParam[]): number =>
  blocks.reduce((sum, block) => sum + sizeOfBlock(block), 0)

const sizeOfMessages = (messages: readonly MessageParam[]): number => messages.reduce((sum, { content }) =>
  sum + (typeof content === 'string' ? content.length : sizeOfBlocks(content)), 0)

type Thinker = Pick<RunState, 'key' | 'model' | 'thinking'>

/** All in characters, but the window. */
export interface Context {
  /** Tokens that request and answer may have. */
  window: number
  /** System prompt and tools. */
  prefix: number
  conversation: number
  /** What the conversation may have. */
  room: number
  perToken: number
}

const perTokenOf = ({ weight: { tokens, characters } }: RunState): number =>
  tokens > 0 ? Math.min(8, Math.max(0.5, characters / tokens)) : assumed

/** @returns tokens of the window of the model that a conversation may use */
export const windowOf = ({ llm, config }: Pick<Deps, 'llm' | 'config'>, workspaceId: string, model: string): number =>
  Math.min(llm.of(workspaceId).windowOf(model), config.limits.context_tokens)

const modeOf = ({ config }: Pick<Deps, 'config'>, { thinking: { thinking } }: Thinker): string | null =>
  thinking ?? config.ANTHROPIC_THINKING ?? null

/** Thoughts are part of the answer: of a model with short answers they have half at most. */
const roomFor = (deps: Pick<Deps, 'llm' | 'config'>, { key: { workspace_id: id }, model }: Thinker): number =>
  Math.min(windowOf(deps, id, model), 2 * deps.llm.of(id).maxOutputOf(model))

/** @returns how the next request has the model think: only what was chosen or configured */
export const thinkingOf = (deps: Pick<Deps, 'llm' | 'config'>, state: Thinker): Thinking => {
  const effort = state.thinking.effort ?? deps.config.ANTHROPIC_EFFORT
  const thinking = toThinking(modeOf(deps, state), roomFor(deps, state))
  // What was chosen for another model may be more than the second one takes.
  const by = deps.llm.of(state.key.workspace_id)
  const listed = state.model === by.fallback ? by.listed(state.model) : undefined
  const takesEffort = effort !== undefined && listed?.efforts?.includes(effort) !== false
  const thinks = thinking !== undefined && listed?.thinking?.includes(thinking.type) !== false
  return { ...(takesEffort && { effort }), ...(thinks && { thinking }) }
}

/** @returns how long an answer may be, with what the model thinks: an eighth of a small window, beside thinking */
export const answerTokens = (deps: Pick<Deps, 'llm' | 'config'>, state: Thinker): number => {
  const answer = Math.min(longestAnswer, Math.floor(windowOf(deps, state.key.workspace_id, state.model) / 8))
  const most = answer + thinkingTokens(modeOf(deps, state), roomFor(deps, state))
  return Math.min(most, deps.llm.of(state.key.workspace_id).maxOutputOf(state.model))
}

/** Weighs what the next request would send, by the usage that the last answer of the session reported. */
export const weighContext = (deps: Deps, state: RunState): Context => {
  const window = windowOf(deps, state.key.workspace_id, state.model)
  const prefix = deps.llm.sizeOfPrefix({ system: state.system, tools: offerTools(deps, state) })
  const conversation = sizeOfMessages(state.messages)
  const perToken = perTokenOf(state)
  const most = (window - 2 * answerTokens(deps, state)) * safe * perToken
  state.weight.sent = prefix + conversation
  return { window, prefix, conversation, room: Math.max(0, most - prefix), perToken }
}

export const toTokens = (characters: number, { perToken }: Context): number => Math.ceil(characters / perToken)

/** Keeps what the provider has counted in the request that was just answered. */
export const measure = ({ weight }: RunState, usage: UsageRow): Measured => {
  const { input_tokens, cache_read_tokens, cache_write_tokens } = usage
  weight.tokens = input_tokens + cache_read_tokens + cache_write_tokens
  weight.characters = weight.sent
  weight.unchanged = 0
  return { tokens: weight.tokens, characters: weight.characters }
}
