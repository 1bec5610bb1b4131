import { readItems } from '../conversation.js'
import type { Guide } from './guide.js'
import { read, type Reply, type Steps } from './steps.js'
import { plain, text } from './texts.js'

interface Repository { id: unknown, name: string }
interface Pull { repository: string, number: number, title: string, author: string, url: string }

const mostRepositories = 10

function * listRepositories (): Steps<Repository[]> {
  return readItems((yield * read('listRepositories')).data).map(({ id, name }) => ({ id, name: text(name) }))
}

function * listPulls (repositories: readonly Repository[], state: 'open' | 'merged'): Steps<Pull[]> {
  if (repositories.length === 0) return []
  const calls = yield repositories.map(({ id }) => ({ name: 'listPulls', input: { repo_id: id, state } }))
  return calls.flatMap((call, index) => readItems(call.data).map((pull) => ({
    repository: repositories[index]?.name ?? '',
    number: Number(pull.number),
    title: text(pull.title),
    author: text(pull.author),
    url: text(pull.html_url)
  })))
}

const link = ({ repository, number, url }: Pull): string =>
  /^https?:\/\/[^\s()]+$/.test(url) ? `[${plain(repository)}#${number}](${url})` : `${plain(repository)}#${number}`

/** Which pull requests are open? */
export function * showOpenPulls (guide: Guide): Steps {
  const { say } = guide
  const pulls = yield * listPulls((yield * listRepositories()).slice(0, mostRepositories), 'open')
  const lines = pulls.map((pull) => `- ${link(pull)} ${plain(pull.title)}, ${plain(pull.author)}`)
  return {
    text: lines.length === 0 ? say('No pull requests are open.', 'Kein Pull Request ist offen.') : lines.join('\n'),
    next: [guide.button('notes'), guide.button('build')]
  } satisfies Reply
}

const write = (guide: Guide, pulls: readonly Pull[]): string => {
  const { say } = guide
  if (pulls.length === 0) {
    return say('No pull requests have been merged, so there is nothing to write release notes from.',
      'Es wurde kein Pull Request gemergt, also gibt es nichts, woraus Release Notes werden könnten.')
  }
  const repositories = [...new Set(pulls.map(({ repository }) => repository))]
  return repositories.map((name) => {
    const own = pulls.filter(({ repository }) => repository === name)
    return `**${plain(name)}**\n\n${own.map((pull) => `- ${plain(pull.title)} (${link(pull)})`).join('\n')}`
  }).join('\n\n')
}

/** Write release notes: the titles of what was merged, by repository. A script does not rewrite them. */
export function * writeNotes (guide: Guide): Steps {
  const repositories = (yield * listRepositories()).slice(0, mostRepositories)
  const pulls = yield * listPulls(repositories, 'merged')
  const named = [...new Set(pulls.map(({ repository }) => repository))].slice(0, 2)
  const one = named.length > 1 ? named.map((repository) => guide.button('notesOf', { repository })) : []
  return { text: write(guide, pulls), next: [...one, guide.button('openPulls')] } satisfies Reply
}

/** Write release notes of web */
export function * writeNotesOf (guide: Guide): Steps {
  const repositories = yield * listRepositories()
  const wanted = (guide.slots.repository ?? '').toLowerCase()
  const repository = repositories.find(({ name }) => name.toLowerCase() === wanted)
  if (!repository) {
    const names = repositories.slice(0, 20).map(({ name }) => plain(name)).join(', ')
    return {
      text: guide.say(`There is no repository of that name. There are: ${names}.`,
        `Es gibt kein Repository dieses Namens. Es gibt: ${names}.`),
      next: [guide.button('notes')]
    } satisfies Reply
  }
  return { text: write(guide, yield * listPulls([repository], 'merged')), next: [guide.button('openPulls')] }
}
