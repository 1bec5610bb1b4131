import { isRecord } from '../../validate/shape.js'
import { itemsOf } from '../conversation.js'
import { plain } from '../render.js'
import { mentions, text } from './named.js'
import { read, type Skill, type Steps } from './skill.js'

type Item = Record<string, unknown>

const changes = /\b(create|open a|add|connect|delete|deploy|build|merge|write)\b/i
const asksCommits = /\bcommit(s|ted)?\b/i
const asksBranches = /\bbranch(es)?\b/i
const asksIssues = /\bissues\b/i
const asksFiles = /\b(files?|folders?|readme)\b|^\W*browse\b/i
const asksRepositories = /\b(what|which|list|show|all|any|my)\b.*\b(repos?|repositor(y|ies))\b/i
const most = 10

const nameOf = (value: unknown): string => isRecord(value) ? text(value.login) || text(value.name) : text(value)

/** @returns the one repository that is meant, or the question that is to be asked */
const theRepository = (message: string, repositories: Item[], what: string): Item | string => {
  const [first, ...others] = repositories.filter(({ name, full_name: full }) =>
    mentions(message, text(name)) || mentions(message, text(full)))
  if (first && others.length === 0) return first
  const names = (first ? [first, ...others] : repositories).map(({ full_name: full, name }) => text(full) || text(name))
  return names.length === 0
    ? 'No repository can be seen: [connect the code host](/settings/connections) first.'
    : `${what} of which repository: ${names.slice(0, 12).map(plain).join(', ')}?`
}

const repositoryLine = ({ full_name: full, name, default_branch: branch, description }: Item): string =>
  `- **${plain(text(full) || text(name))}**${text(branch) && ` (${plain(text(branch))})`}` +
  `${text(description) && `: ${plain(text(description))}`}`

const commitLine = ({ sha, headline, author }: Item): string => {
  const at = isRecord(author) ? text(author.date) : ''
  return `- \`${text(sha).slice(0, 7)}\` ${plain(text(headline))}, by ${plain(nameOf(author))}${at && `, ${at}`}`
}

function * commits (repository: Item): Steps {
  const found = itemsOf((yield * read('listCommits', { repo_id: repository.id })).data) ?? []
  const name = `**${plain(text(repository.name))}**`
  if (found.length === 0) return `${name} has no commit yet.`
  return `The newest commits of ${name}:\n\n${found.slice(0, most).map(commitLine).join('\n')}`
}

function * files (repository: Item, message: string): Steps {
  const path = /\breadme\b/i.test(message) ? 'README.md' : ''
  const { data } = yield * read('browseRepository', { repo_id: repository.id, path })
  const name = plain(text(repository.name))
  const words = isRecord(data) ? text(data.text) : ''
  if (path) return `${path} of **${name}**:\n\n\`\`\`text\n${words.slice(0, 4_000).replaceAll('```', "'''")}\n\`\`\``
  const entries = isRecord(data) && Array.isArray(data.entries) ? data.entries.filter(isRecord) : []
  const lines = entries.map(({ name: file, type }) => `- ${plain(text(file))}${type === 'folder' ? '/' : ''}`)
  return lines.length === 0 ? `**${name}** has no files.` : `At the root of **${name}**:\n\n${lines.join('\n')}`
}

const branches = ({ name, default_branch: branch }: Item): string =>
  `I cannot list branches. **${plain(text(name))}** has ${plain(text(branch) || 'main')} as its default branch.`

const noIssues = 'I read one issue at a time, by its number: say "show issue 12 of web".'

function * show (message: string): Steps {
  if (asksIssues.test(message)) return noIssues
  const repositories = itemsOf((yield * read('listRepositories')).data) ?? []
  const what = asksCommits.test(message) ? 'The commits' : asksBranches.test(message) ? 'The branches' : 'The files'
  const isDetail = asksCommits.test(message) || asksBranches.test(message) || asksFiles.test(message)
  if (!isDetail) {
    return repositories.length === 0
      ? 'No repository can be seen: [connect the code host](/settings/connections) first.'
      : repositories.map(repositoryLine).join('\n')
  }
  const repository = theRepository(message, repositories, what)
  if (typeof repository === 'string') return repository
  if (asksCommits.test(message)) return yield * commits(repository)
  return asksBranches.test(message) ? branches(repository) : yield * files(repository, message)
}

const isFor = (message: string): boolean =>
  [asksCommits, asksIssues, asksBranches, asksRepositories].some((form) => form.test(message)) ||
  (asksFiles.test(message) && !/\b(spec|input|attach)/i.test(message))

/** "What repos do we have?", "List the commits of web", "Show the readme of api" */
export const repositories: Skill = (message) =>
  isFor(message) && !changes.test(message) && !/[=~]|\band\b/i.test(message) ? show(message) : undefined
