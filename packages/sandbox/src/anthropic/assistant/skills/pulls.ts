import { itemsOf } from '../conversation.js'
import { plain } from '../render.js'
import { phrase } from '../speech/index.js'
import { mentions, text } from './named.js'
import { read, want, type Skill, type Steps } from './skill.js'

const asks = /\b(pull requests?|prs?|pulls|merge requests?)\b|\bwhat (was|got|has been|is) merged\b/i
const notes = /\b(release notes?|changelog)/i
const writes = /\b(open a|create|make|close|file a)\b/i
const merges = /^\W*(?:please |can you |could you )?merge\b/i

interface Pull { repo: string, number: number, title: string, author: string, url: string }

function * list (message: string, state: string): Steps<Pull[]> {
  const repos = itemsOf((yield * read('listRepositories')).data) ?? []
  const named = repos.filter(({ name }) => mentions(message, text(name)))
  const chosen = named.length > 0 ? named : repos.slice(0, 10)
  const calls = yield chosen.map(({ id }) => want('listPulls', { repo_id: id, state }))
  return calls.flatMap((call, index) => (itemsOf(call.data) ?? []).map((pull) => ({
    repo: text(chosen[index]?.name),
    number: Number(pull.number),
    title: text(pull.title),
    author: text(pull.author),
    url: text(pull.html_url)
  })))
}

const linked = ({ repo, number, url }: Pull): string =>
  /^https?:\/\/[^\s()]+$/.test(url) ? `[${plain(repo)}#${number}](${url})` : `${plain(repo)}#${number}`

type State = 'open' | 'merged' | 'closed'

const noneOf: Record<State, () => string> = {
  open: () => phrase`There is no open pull request.`,
  merged: () => phrase`There is no merged pull request.`,
  closed: () => phrase`There is no closed pull request.`
}
const headings: Record<State, (count: number) => string> = {
  open: (count) => phrase`${count} open:`,
  merged: (count) => phrase`${count} merged:`,
  closed: (count) => phrase`${count} closed:`
}

function * show (message: string, number: number): Steps {
  const found = (yield * list(message, 'all')).filter((pull) => pull.number === number)
  return found.length === 0
    ? phrase`There is no pull request ${number} that I can see.`
    : found.map((pull) => `- ${linked(pull)} ${plain(pull.title)}, ${phrase`by ${plain(pull.author)}`}`).join('\n')
}

function * open (message: string): Steps {
  const number = Number(/(?:#|\b(?:pull request|pull|pr) (?:number )?)(\d{1,6})\b/i.exec(message)?.[1])
  if (number > 0) return yield * show(message, number)
  const state: State = /\bmerged\b/i.test(message) ? 'merged' : /\bclosed\b/i.test(message) ? 'closed' : 'open'
  const pulls = yield * list(message, state)
  const lines = pulls.map((pull) => `- ${linked(pull)} ${plain(pull.title)}, ${phrase`by ${plain(pull.author)}`}`)
  if (lines.length === 0) return noneOf[state]()
  return `${headings[state](lines.length)}\n\n${lines.join('\n')}`
}

const changeNames = {
  Added: () => phrase`Added`, Changed: () => phrase`Changed`, Fixed: () => phrase`Fixed`
}

const groups: [keyof typeof changeNames, RegExp][] = [
  ['Fixed', /^(fix|bug|repair|correct)/i],
  ['Added', /^(add|feat|new|allow|support|show)/i]
]

function * write (message: string): Steps {
  const pulls = yield * list(message, 'merged')
  if (pulls.length === 0) {
    return phrase`No pull request has been merged, so there is nothing to write release notes from.`
  }
  const groupOf = ({ title }: Pull) => groups.find(([, form]) => form.test(title))?.[0] ?? 'Changed'
  const sections = (['Added', 'Changed', 'Fixed'] as const).flatMap((heading) => {
    const own = pulls.filter((pull) => groupOf(pull) === heading)
    const lines = own.map((pull) => `- ${plain(pull.title)} (${linked(pull)})`)
    return lines.length === 0 ? [] : [`**${changeNames[heading]()}**\n\n${lines.join('\n')}`]
  })
  const intro = pulls.length === 1
    ? phrase`Release notes from 1 merged pull request:`
    : phrase`Release notes from ${pulls.length} merged pull requests:`
  return `${intro}\n\n${sections.join('\n\n')}`
}

function * cannotMerge (): Steps {
  return phrase`I do not merge pull requests: that is done on the code host. I can list those that are open.`
}

/** "Which pull requests are open?", "Write release notes from the merged pull requests" */
export const pulls: Skill = (message) =>
  merges.test(message) && asks.test(message)
    ? cannotMerge()
    : notes.test(message) ? write(message) : asks.test(message) && !writes.test(message) ? open(message) : undefined
