import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { textOf } from '../text.js'
import { isFiller, wordsOf } from './words.js'

const longestSystem = 2000
const titleWords = 6
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

/** Makes a short title from the conversation's own words. */
export function titleOf ({ messages }: MessageCreateParamsBase): string {
  const texts = messages.filter(({ role }) => role === 'user')
    .flatMap(({ content }) => textOf(content).split('\n'))
    .map((line) => line.replace(/<\/?[\w-]+[^>]*>/g, ' ').replace(speaker, '').trim())
    .filter((line) => line !== '' && !asksForTitle(line))
  const line = texts.find((text) => meaningful(text).length > 1) ?? texts[0] ?? ''
  const words = meaningful(line).slice(0, titleWords)
  const title = words.join(' ')
  return title === '' ? 'New conversation' : title.charAt(0).toUpperCase() + title.slice(1)
}

const isJoint = (word: string) => /^(to|of|in|for)$/i.test(word)

const meaningful = (text: string) => wordsOf(text)
  .filter((word) => !isFiller(word) || isJoint(word))
  .filter((word, index, all) => !isJoint(word) || (index > 0 && index < all.length - 1))
