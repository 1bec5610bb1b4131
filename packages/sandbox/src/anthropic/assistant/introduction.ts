import { examplesIn } from './skills/examples.js'
import { phrase } from './speech/index.js'
import type { Tool } from './tools.js'

/** The introduction in the first answer of a conversation. */
export const whoIAm = (): string => phrase`I am Steward's sandbox assistant: a script, not a language model.`

/** How to get more than a script. */
export const realModel = (): string => phrase`For a real model, set ${'`ANTHROPIC_API_KEY`'} and start Steward again.`

const notUnderstood = (): string =>
  phrase`I did not understand that: I match the words of a message, so plain requests in English work best.`

/** What the assistant says when it understands nothing: what to ask, and how to get a real model. */
export function introduce (tools: Tool[], isFirst: boolean): string {
  if (tools.length === 0) {
    return `${whoIAm()} ${phrase`I was given no tools, so I can only say this much.`} ${realModel()}`
  }
  return [
    isFirst ? `${whoIAm()} ${notUnderstood()}` : notUnderstood(),
    `${phrase`Try one of these:`}\n\n${examplesIn().map((one) => `- ${one}`).join('\n')}`,
    realModel()
  ].join('\n\n')
}
