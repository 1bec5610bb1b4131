import { entityOf } from './entities.js'
import { chooseTools, type Tool } from './tools.js'
import { requestedKinds, isFiller, wordsOf } from './words.js'

/** One request in a message, and the tools that could serve it. */
export interface Clause { text: string, tools: Tool[], waits: boolean, isGuess?: boolean }

const separator = /\s*(?:;|\n+|[.!?]\s+(?=\p{Lu})|,?\s+(?:and\s+)?then\s+|,?\s+and\s+(?:also\s+)?|,\s+)\s*/giu
const shield = '\uE000'

/** Splits a message into its requests; a part without a verb takes the verb of the part before it. */
export function readClauses (message: string, tools: Tool[]): Clause[] {
  const clauses: Clause[] = []
  let kinds: Set<string> | undefined
  for (const { text, waits } of split(message)) {
    const requested = requestedKinds(text)
    const chosen = chooseTools(text, tools, requested ? undefined : kinds)
    const previous = clauses.at(-1)
    if (chosen.length === 0 && !requested && previous && hasContent(text)) {
      if (previous.tools[0]?.isRead) previous.text += ` ${text}`
      else clauses.push({ text, tools: previous.tools, waits })
    } else if (chosen.length > 0) {
      clauses.push({ text, tools: narrowed(chosen, previous, Boolean(requested)), waits })
      kinds = requested ?? kinds
    } else if (isAboutSomething.test(text) && (!requested || requested.has('read'))) {
      clauses.push({ text, tools: detailTools(tools), waits, isGuess: true })
    }
  }
  return clauses
}

const isAboutSomething =
  /\b(status|state|health|healthy|running|details?|info|everything|about|replicas?|copies|tasks|instances)\b/i

/** The tools that read one thing by its name, for "is web healthy?", which does not name the kind of web. */
const detailTools = (tools: Tool[]) => tools.filter((tool) => {
  const [property, ...others] = tool.properties.filter(({ required }) => required)
  return tool.isRead && property && others.length === 0 && entityOf(property, tool, tools) === tool.nouns.at(-1)
})

// "scale web to 4 and api to 3": the second part means the same operation as the first.
const narrowed = (chosen: Tool[], previous: Clause | undefined, isRequested: boolean) =>
  !isRequested && previous && chosen.some((tool) => previous.tools.includes(tool)) ? previous.tools : chosen

const hasContent = (text: string) => wordsOf(text).some((word) => !isFiller(word))

function split (message: string) {
  const kept: string[] = []
  // Texts in quotes or braces are values, and are never split.
  const values = /"[^"]*"|“[^”]*”|`[^`]*`|\{.*\}/gs
  const shielded = message.replace(values, (value) => `${shield}${kept.push(value) - 1}${shield}`)
  const parts: { text: string, waits: boolean }[] = []
  let from = 0
  let waits = false
  for (const found of [...shielded.matchAll(separator), undefined]) {
    const text = shielded.slice(from, found?.index)
      .replace(/\uE000(\d+)\uE000/g, (_, position) => kept[Number(position)] ?? '')
    if (text.trim()) parts.push({ text: text.trim().replace(/[.?!]+$/, ''), waits })
    waits = /then/i.test(found?.[0] ?? '')
    from = (found?.index ?? 0) + (found?.[0].length ?? 0)
  }
  return parts
}
