import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { textOf } from '../text.js'

const longestSystem = 2000
const longestTitle = 60
const speaker = /^\W*(user|human|assistant|system)\s*:\s*/i
const order = /\b(write|give|generate|suggest|make|propose)\b[^.?!\n]*\btitle\b|\btitle (for|of) (this|the)\b/i

/** True when a request asks for the title of a conversation, not for an answer in it. */
export function isTitleRequest ({ system, messages, tools, output_config: output }: MessageCreateParamsBase) {
  if ((tools?.length ?? 0) > 0 || output?.format) return false
  const instructions = textOf(system)
  if (instructions.length <= longestSystem && /\btitles?\b/i.test(instructions)) return true
  return asksForTitle(textOf(messages.at(-1)?.content))
}

const asksForTitle = (text: string) => order.test(text.slice(0, 200)) || order.test(text.slice(-200))

/** The first line of the conversation, cut between two words. */
export function makeTitle ({ messages }: MessageCreateParamsBase): string {
  const line = messages.filter(({ role }) => role === 'user')
    .flatMap(({ content }) => textOf(content).split('\n'))
    .map((text) => text.replace(/<\/?[\w-]+[^>]*>/g, ' ').replace(speaker, '').trim())
    .find((text) => text !== '' && !asksForTitle(text))
  if (line === undefined) return 'New conversation'
  return line.length <= longestTitle ? line : line.slice(0, longestTitle).replace(/\s+\S*$/, '')
}
