import type { ContentBlock, Message, MessageCreateParamsBase, Usage } from '@anthropic-ai/sdk/resources/messages'
import { newId } from './api-error.js'
import type { InputUsage } from './cache.js'
import { redact, sign } from './signature.js'
import { tokensOf } from './tokens.js'
import type { StopReason, Turn, TurnBlock } from './turn.js'

/** A block of the response, and the JSON of its input on the wire, valid or not. */
export interface AnswerBlock { block: ContentBlock, json?: string }

/** One response, to be sent whole or as a stream. */
export interface Answer {
  blocks: AnswerBlock[]
  message: Message
  chunk?: number
}

/** Makes a message of the API from a scripted turn: ids, signatures, usage, the token limit. */
export function makeAnswer (turn: Turn, request: MessageCreateParamsBase, input: InputUsage): Answer {
  const faulty = withContentFault(turn)
  const { content, cut, sequence } = limit(faulty, request)
  const blocks = content.map((part) => answerBlock(part, request))
  if (turn.fault?.kind === 'duplicate_tool_ids') shareFirstId(blocks)
  const stopReason = cut ?? faulty.stop_reason ?? naturalStop(content)
  return {
    blocks,
    ...(turn.chunk && { chunk: turn.chunk }),
    message: {
      id: newId('msg'),
      type: 'message',
      role: 'assistant',
      model: turn.model ?? request.model,
      content: blocks.map(({ block }) => block),
      stop_reason: stopReason,
      stop_sequence: sequence ?? null,
      stop_details: stopReason === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null,
      usage: usageOf(turn, blocks, input, request.max_tokens),
      container: null,
      diagnostics: null
    }
  }
}

const naturalStop = (content: TurnBlock[]): StopReason =>
  content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn'

function withContentFault (turn: Turn): Turn {
  switch (turn.fault?.kind) {
    case 'truncated_tool_use':
      return { ...breakLastCall(turn, (json) => json.slice(0, -cutOf(json))), stop_reason: 'max_tokens' }
    case 'invalid_tool_json': return breakLastCall(turn, (json) => `${json.slice(0, -1)},]`)
    case 'refusal': return { ...turn, stop_reason: 'refusal' }
    case 'pause_turn': return { ...turn, stop_reason: 'pause_turn' }
    default: return turn
  }
}

const cutOf = (json: string) => Math.max(1, Math.ceil(json.length / 3))

function breakLastCall (turn: Turn, damage: (json: string) => string): Turn {
  const last = turn.content.findLastIndex((block) => block.type === 'tool_use')
  const content = turn.content.map((block, index) =>
    block.type === 'tool_use' && index === last ? { ...block, raw_json: damage(inputJson(block)) } : block)
  return { ...turn, content }
}

const inputJson = (block: TurnBlock & { type: 'tool_use' }) => block.raw_json ?? JSON.stringify(block.input ?? {})

interface Limited { content: TurnBlock[], cut?: StopReason, sequence?: string }

/** Ends the response at a stop sequence of the request, or at max_tokens. */
function limit (turn: Turn, request: MessageCreateParamsBase): Limited {
  const { max_tokens: maxTokens, stop_sequences: sequences = [] } = request
  const content: TurnBlock[] = []
  let left = maxTokens
  for (const block of turn.content) {
    const stop = block.type === 'text' ? firstStop(block.text, sequences) : undefined
    const whole = stop && block.type === 'text' ? { ...block, text: block.text.slice(0, stop.at) } : block
    const cost = tokensOf(textOf(whole))
    if (cost > left) return { content: [...content, ...shorten(whole, left * 4)], cut: 'max_tokens' }
    left -= cost
    content.push(whole)
    if (stop) return { content, cut: 'stop_sequence', sequence: stop.sequence }
  }
  return { content }
}

function firstStop (text: string, sequences: string[]) {
  const found = sequences.map((sequence) => ({ sequence, at: text.indexOf(sequence) })).filter(({ at }) => at !== -1)
  return found.toSorted((a, b) => a.at - b.at)[0]
}

function textOf (block: TurnBlock) {
  if (block.type === 'text') return block.text
  if (block.type === 'thinking') return block.thinking
  return block.type === 'tool_use' ? block.name + inputJson(block) : ''
}

function shorten (block: TurnBlock, length: number): TurnBlock[] {
  if (length <= 0) return []
  if (block.type === 'text') return [{ ...block, text: block.text.slice(0, length) }]
  if (block.type === 'tool_use') return [{ ...block, raw_json: inputJson(block).slice(0, length) }]
  return []
}

function answerBlock (part: TurnBlock, request: MessageCreateParamsBase): AnswerBlock {
  switch (part.type) {
    case 'text': return { block: { type: 'text', text: part.text, citations: null } }
    case 'thinking': return { block: thinkingBlock(part.thinking, request) }
    case 'redacted_thinking': return { block: { type: 'redacted_thinking', data: redact(newId('think')) } }
    case 'tool_use': return toolUse(part)
    case 'server_tool_use': return serverToolUse(part)
  }
}

function thinkingBlock (thinking: string, { thinking: config }: MessageCreateParamsBase): ContentBlock {
  const isShown = config && 'display' in config && config.display === 'summarized'
  const shown = isShown || !config ? thinking : ''
  return { type: 'thinking', thinking: shown, signature: sign(shown) }
}

function toolUse (part: TurnBlock & { type: 'tool_use' }): AnswerBlock {
  const json = inputJson(part)
  return {
    json,
    block: {
      type: 'tool_use', id: part.id ?? newId('toolu'), name: part.name, input: parsed(json), caller: { type: 'direct' }
    }
  }
}

/** A call that the provider executes itself; the client sees it and sends it back. */
function serverToolUse ({ name, input }: TurnBlock & { type: 'server_tool_use' }): AnswerBlock {
  const id = newId('srvtoolu')
  // The script names any of the provider's tools.
  const block = { type: 'server_tool_use', id, name, input, caller: { type: 'direct' } } as ContentBlock
  return { json: JSON.stringify(input), block }
}

function parsed (json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return {}
  }
}

function shareFirstId (blocks: AnswerBlock[]) {
  const calls = blocks.flatMap(({ block }) => block.type === 'tool_use' ? [block] : [])
  for (const call of calls) call.id = calls[0]?.id ?? call.id
}

/** The estimate includes the JSON around a text, so it is limited to max_tokens. */
function usageOf (turn: Turn, blocks: AnswerBlock[], input: InputUsage, most: number): Usage {
  const spent = blocks.reduce((sum, { block, json }) => sum + tokensOf(json ?? JSON.stringify(block)), 0)
  const thought = turn.content.reduce((sum, part) => sum + (part.type === 'thinking' ? tokensOf(part.thinking) : 0), 0)
  return {
    ...input,
    output_tokens: Math.min(most, Math.max(1, spent + thought)),
    output_tokens_details: { thinking_tokens: thought },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: null,
    speed: null,
    ...turn.usage
  }
}
