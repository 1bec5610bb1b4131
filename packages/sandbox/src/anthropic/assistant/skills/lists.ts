import { itemsOf } from '../conversation.js'
import { plain } from '../render.js'
import { phrase } from '../speech/index.js'
import { text } from './named.js'
import { stateOf } from './services.js'
import { read, type Skill, type Steps } from './skill.js'

type Item = Record<string, unknown>

/** What there are many of: how people call them, the tool that lists them, and what is worth a word of each. */
interface Kind {
  asks: RegExp
  tool: string
  none: () => string
  heading: (count: number) => string
  about: (item: Item) => string[]
}

const kinds: Kind[] = [
  {
    asks: /\b(functions|lambdas)\b/i,
    tool: 'listFunctions',
    none: () => phrase`There is no function.`,
    heading: (count) => count === 1 ? phrase`1 function:` : phrase`${count} functions:`,
    about: ({ runtime, memory_mb: memory, region }) => [text(runtime), `${Number(memory)} MB`, text(region)]
  },
  {
    asks: /\b(contents?|drafts|articles|blog posts)\b/i,
    tool: 'listContents',
    none: () => phrase`There is no content of that kind.`,
    heading: (count) => count === 1 ? phrase`1 content:` : phrase`${count} contents:`,
    about: ({ status, channel }) => [stateOf(text(status)), text(channel).replaceAll('_', ' ')]
  },
  {
    asks: /\bspec(ification)?s\b|\bany spec\b/i,
    tool: 'listSpecSessions',
    none: () => phrase`There is no spec yet.`,
    heading: (count) => count === 1 ? phrase`1 spec:` : phrase`${count} specs:`,
    about: ({ state }) => [stateOf(text(state))]
  },
  {
    asks: /\bprojects\b/i,
    tool: 'listProjects',
    none: () => phrase`There is no project yet.`,
    heading: (count) => count === 1 ? phrase`1 project:` : phrase`${count} projects:`,
    about: ({ description }) => [text(description)]
  },
  {
    asks: /\baccounts\b|\babout (the|my|our) (aws |cloud )?account\b/i,
    tool: 'listCloudAccounts',
    none: () => phrase`No cloud account is connected.`,
    heading: (count) => count === 1 ? phrase`1 cloud account:` : phrase`${count} cloud accounts:`,
    about: ({ aws_account_id: id, status }) => [text(id), stateOf(text(status))]
  }
]

const asks = /\b(list|show|which|what|how (many|much)|all|my|any|our|do we have|about)\b|^\W*\w+\W*$/i
const elsewhere = /\b(create|add|invoke|run|call|deploy|delete|remove|connect|test|write|draft|generate|publish|cost\w*|sp[ae]n[dt]\w*|bills?|logs?|errors?|in|of(?! list\b)|named|called|approved|archived)\b|[=~{"]|\b(and|then)\b/i
const most = 20

const isWanted = (message: string, { status }: Item): boolean => {
  if (/\b(not|un)[- ]?(yet )?published\b/i.test(message)) return status !== 'published'
  if (/\bdrafts\b/i.test(message)) return status === 'draft'
  return !/\bpublished\b/i.test(message) || status === 'published'
}

function * list (message: string, { tool, none, heading, about }: Kind): Steps {
  const all = itemsOf((yield * read(tool)).data) ?? []
  const found = tool === 'listContents' ? all.filter((item) => isWanted(message, item)) : all
  if (found.length === 0) return none()
  const lines = found.slice(0, most).map((item) => {
    const more = about(item).filter(Boolean).map(plain).join(', ')
    return `- **${plain(text(item.name) || text(item.title))}**${more && ` (${more})`}`
  })
  const rest = found.length > most ? `\n\n${phrase`The other ${found.length - most} are not shown.`}` : ''
  return `${heading(found.length)}\n\n${lines.join('\n')}${rest}`
}

/** "Which lambdas do I have?", "Which drafts are not published?" */
export const lists: Skill = (message) => {
  const kind = kinds.find(({ asks: form }) => form.test(message))
  return kind !== undefined && asks.test(message) && !elsewhere.test(message) ? list(message, kind) : undefined
}
