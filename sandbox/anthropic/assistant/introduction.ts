import { type Tool } from './tools.js'

const maxListed = 40

/** The introduction in the first answer of a conversation. */
export const whoIAm = "I am Steward's sandbox assistant: a script, not a language model."

const realModel = 'For a real model, set `ANTHROPIC_API_KEY` and start Steward again.'

/** The abilities of the assistant with the given tools, and how to get a real model. */
export function introduce (tools: Tool[]): string {
  if (tools.length === 0) return `${whoIAm} I was given no tools, so I can only say this much. ${realModel}`
  const reads = tools.filter(({ isRead }) => isRead).toSorted((a, b) => listsFirst(a) - listsFirst(b))
  const writes = tools.filter(({ isRead }) => !isRead)
  return [
    `${whoIAm} I match the words of your message with the tools I was given, so plain requests work best.`,
    section('I can read', reads.map(({ nounWords }) => nounWords.join(' '))),
    section('With your approval I can', writes.map(({ verb, nounWords }) => [verb, ...nounWords].join(' '))),
    examples(tools),
    realModel
  ].filter(Boolean).join('\n\n')
}

const listsFirst = ({ verb }: Tool) => verb === 'list' ? 0 : 1

function section (title: string, phrases: string[]) {
  const all = [...new Set(phrases.filter(Boolean))]
  if (all.length === 0) return ''
  const more = all.length > maxListed ? ` … and ${all.length - maxListed} more` : ''
  return `**${title}:** ${all.slice(0, maxListed).join(', ')}${more}`
}

function examples (tools: Tool[]) {
  const list = tools.find(({ verb, properties }) => verb === 'list' && !properties.some(({ required }) => required))
  const scale = tools.find(({ verb }) => verb === 'scale')
  const examples = [
    ...(list ? [`"Which ${list.nounWords.at(-1)} do I have?"`] : []),
    ...(scale ? ['"Scale web to 4"'] : [])
  ]
  return examples.length > 0 ? `Try ${examples.join(' or ')}.` : ''
}
