import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { ApiError, invalid } from '../api-error.js'
import { capabilitiesOf, isRetired } from '../models.js'
import { validateSystem } from './blocks.js'
import { validateHistory } from './history.js'
import { isRecord } from './shape.js'
import { validateStrict, validateTools } from './tools.js'

const maxBreakpoints = 4
const minBudget = 1024

type Part = Record<string, unknown>

/** Validates the parts of a request that a JSON schema cannot express; throws the API's 400. */
export function validateRequest (request: MessageCreateParamsBase, isPaused: (content: unknown) => boolean) {
  if (!/^(claude-|sandbox)/.test(request.model) || isRetired(request.model)) {
    throw new ApiError(404, `model: ${request.model}`)
  }
  validateSystem(request.system)
  validateTools(request.tools)
  validateHistory(request.messages, isPaused)
  validateToolChoice(request)
  validateThinking(request)
  validateCapabilities(request)
  validateOutput(request)
  validateBreakpoints(request)
  if (request.stop_sequences?.some((sequence) => sequence.trim() === '')) {
    throw invalid('stop_sequences: each stop sequence must contain non-whitespace')
  }
}

function validateToolChoice ({ tools = [], tool_choice: choice, messages }: MessageCreateParamsBase) {
  const usesTools = messages.some(({ content }) => Array.isArray(content) &&
    content.some((block) => block.type === 'tool_use' || block.type === 'tool_result'))
  if (tools.length === 0 && usesTools) {
    throw invalid('Requests which have `tool_use` or `tool_result` blocks in `messages` must define tools')
  }
  if (!choice) return
  if (tools.length === 0) throw invalid('tool_choice: tool_choice may only be specified while providing tools')
  if (choice.type !== 'tool') return
  if (typeof choice.name !== 'string') throw invalid('tool_choice.tool.name: Field required')
  if (!tools.some((tool) => 'name' in tool && tool.name === choice.name)) {
    throw invalid(`tool_choice: Tool '${choice.name}' not found in provided tools`)
  }
}

function validateThinking ({ thinking, max_tokens: maxTokens, tool_choice: choice }: MessageCreateParamsBase) {
  if (!thinking || thinking.type === 'disabled') return
  if (thinking.type === 'enabled') {
    const budget: unknown = thinking.budget_tokens
    if (typeof budget !== 'number') throw invalid('thinking.enabled.budget_tokens: Field required')
    if (budget < minBudget) {
      throw invalid(`thinking.enabled.budget_tokens: Input should be greater than or equal to ${minBudget}`)
    }
    if (budget >= maxTokens) throw invalid('`max_tokens` must be greater than `thinking.budget_tokens`')
  }
  if (choice?.type === 'any' || choice?.type === 'tool') {
    throw invalid('Thinking may not be enabled when tool_choice forces tool use.')
  }
}

/** What the model that is asked can do; of one that is not listed nothing is known. */
function validateCapabilities ({ model, thinking, output_config: output }: MessageCreateParamsBase) {
  const known = capabilitiesOf(model)
  const effort = output?.effort
  if (effort && !isEffort(effort)) {
    throw invalid("output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'")
  }
  if (effort && known && !known.effort.supported) throw invalid('This model does not support the effort parameter.')
  if (effort && known && !known.effort[effort]?.supported) {
    throw invalid(`output_config.effort: '${effort}' is not supported on this model`)
  }
  if (thinking && known && !known.thinking.types[thinking.type].supported) {
    throw invalid(`thinking.type.${thinking.type} is not supported on this model`)
  }
}

const isEffort = (effort: string) => ['low', 'medium', 'high', 'xhigh', 'max'].includes(effort)

function validateOutput ({ output_config: output }: MessageCreateParamsBase) {
  if (!output?.format) return
  if (output.format.type !== 'json_schema') throw invalid("output_config.format.type: Input should be 'json_schema'")
  if (!isRecord(output.format.schema)) throw invalid('output_config.format.schema: Field required')
  validateStrict(output.format.schema, 'output_config.format.schema')
}

function validateBreakpoints (request: MessageCreateParamsBase) {
  const marks = breakpointsOf(request)
  const found = marks.length + (request.cache_control ? 1 : 0)
  if (found > maxBreakpoints) {
    throw invalid(`A maximum of ${maxBreakpoints} blocks with cache_control may be provided. Found ${found}.`)
  }
  const firstShort = marks.findIndex((mark) => mark.ttl !== '1h')
  if (firstShort !== -1 && marks.slice(firstShort).some((mark) => mark.ttl === '1h')) {
    throw invalid("cache_control: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. " +
      'Note that blocks are processed in the following order: `tools`, `system`, `messages`.')
  }
}

function breakpointsOf ({ tools, system, messages }: MessageCreateParamsBase) {
  const blocks: unknown[] = [...tools ?? [], ...partsOf(system)]
  for (const { content } of messages) {
    for (const block of partsOf(content)) blocks.push(...(isRecord(block) ? partsOf(block.content) : []), block)
  }
  return blocks.flatMap((block) => isRecord(block) && block.cache_control ? [parseMark(block.cache_control)] : [])
}

const partsOf = (content: unknown): unknown[] => Array.isArray(content) ? content : []

function parseMark (mark: unknown): Part {
  if (!isRecord(mark) || mark.type !== 'ephemeral') throw invalid("cache_control.type: Input should be 'ephemeral'")
  if (mark.ttl !== undefined && mark.ttl !== '5m' && mark.ttl !== '1h') {
    throw invalid("cache_control.ttl: Input should be '5m' or '1h'")
  }
  return mark
}
