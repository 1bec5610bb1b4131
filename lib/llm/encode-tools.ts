import type { ToolUnion } from '@anthropic-ai/sdk/resources/messages'

const encodedTools = new WeakMap<readonly ToolUnion[], Buffer>()

/** The tools as the last member of a request. They are most of its bytes, so each list is encoded once. */
export const encodeTools = (tools: readonly ToolUnion[]): Buffer => {
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
