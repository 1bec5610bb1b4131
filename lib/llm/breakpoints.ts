import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages'

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
export const markEnd = (messages: MessageParam[]): MessageParam[] => mark(messages, messages.length - 1)

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
