import { isRecord } from '../../validate/shape.js'
import { itemsOf } from '../conversation.js'
import { plain } from '../render.js'
import { mentions, text } from './named.js'
import { read, type Skill, type Steps } from './skill.js'

const asks = /\b(show|describe|what is|details? of|how is)\b.*\b(function|lambda)\b/i
const others = /\b(logs?|errors?|invoke|call|deploy|functions|lambdas)\b|[=~]/i

const lines = (data: Record<string, unknown>): string[] => [
  `Runtime: ${text(data.runtime) || 'a container image'}`,
  `Memory: ${Number(data.memory_mb)} MB, timeout: ${Number(data.timeout_s)} s`,
  `State: ${text(data.state) || 'unknown'}`,
  `Account: ${text(data.account_name)}, ${text(data.region)}`,
  ...text(data.last_modified) ? [`Changed last: ${text(data.last_modified)}`] : []
]

function * show (message: string): Steps {
  const found = itemsOf((yield * read('listFunctions')).data) ?? []
  const [one, ...more] = found.filter(({ name }) => mentions(message, text(name)))
  if (!one || more.length > 0) {
    const names = (one ? [one, ...more] : found).map(({ name, account_name: account }) =>
      one ? `${text(name)} in ${text(account)}` : text(name))
    const choices = names.slice(0, 12).map(plain).join(', ')
    return choices === '' ? 'No function can be seen.' : `Which function: ${choices}?`
  }
  const { data } = yield * read('getFunction', { name: one.id })
  const rows = isRecord(data) ? lines(data).map((line) => `- ${plain(line)}`) : []
  return `**${plain(text(one.name))}**\n\n${rows.join('\n')}`
}

/** "Show the function echo" */
export const functions: Skill = (message) => asks.test(message) && !others.test(message) ? show(message) : undefined
