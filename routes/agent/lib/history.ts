import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { CallRecord } from '../../../db/agent/calls.js'

export interface StoredMessage { id: string, role: 'user' | 'assistant', content: unknown[] }

/** Messages as the API takes them: neighbours of one role are one message, whatever ended between them. */
export const toMessages = (stored: readonly StoredMessage[]): MessageParam[] => {
  const messages: { role: 'user' | 'assistant', content: ContentBlockParam[] }[] = []
  for (const { role, content } of stored) {
    // What we stored is what the API gave, or what we made of its types.
    const blocks = content as ContentBlockParam[]
    const last = messages.at(-1)
    if (last?.role === role) last.content = [...last.content, ...blocks]
    else messages.push({ role, content: blocks })
  }
  return messages
}

/** All results of one turn are one user message, in the order of the calls. */
export const resultBlocks = (calls: readonly Pick<CallRecord, 'tool_use_id' | 'result_model' | 'is_error'>[]) =>
  calls.map((call) => ({
    type: 'tool_result' as const,
    tool_use_id: call.tool_use_id,
    content: call.result_model ?? '',
    ...(call.is_error ? { is_error: true } : {})
  }))

/** @returns the text a person wrote or read; the first block of their own messages is context, not theirs */
export const visibleText = (role: 'user' | 'assistant', content: unknown[]): string =>
  (role === 'user' ? content.slice(1) : content).map((block) => {
    const { type, text } = block as { type: string, text?: string }
    return type === 'text' ? text ?? '' : ''
  }).join('')
