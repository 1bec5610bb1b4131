import { api, body } from '../api/client'
import { say, type Key } from '../texts/say'
import { matching, type Command } from './commands'

interface Search { q: string, query: { q: string, limit: number }, signal: AbortSignal }

/** Things of one kind that a person may look for. */
type Source = (search: Search) => Promise<Command[]>

const limit = 5
/** Apps have no search of their own: those that the list begins with are matched here. */
const mostApps = 100
/** With fewer letters nearly everything is found. */
const fewestLetters = 2

const entry = (kind: Key, path: string, id: string | number, label: string): Command =>
  ({ key: `${path}/${id}`, label, kind: say(kind), to: `${path}/${id}` })

const apps: Source = async ({ q, signal }) => {
  const { items } = await body(api.GET('/deployments/apps', { params: { query: { limit: mostApps } }, signal }))
  return matching(items.map(({ id, name }) => entry('palette.app', '/apps', id, name)), q).slice(0, limit)
}

const specs: Source = async ({ query, signal }) => {
  const { items } = await body(api.GET('/pse/sessions', { params: { query }, signal }))
  return items.map(({ session_id, title }) => entry('palette.spec', '/specs', session_id, title))
}

const contents: Source = async ({ query, signal }) => {
  const { items } = await body(api.GET('/content', { params: { query }, signal }))
  return items.map(({ id, title }) => entry('palette.content', '/content', id, title))
}

const repositories: Source = async ({ query, signal }) => {
  const { items } = await body(api.GET('/codehost/repos', { params: { query }, signal }))
  return items.map(({ id, full_name }) => entry('palette.repository', '/repositories', id, full_name))
}

const projects: Source = async ({ query, signal }) => {
  const { items } = await body(api.GET('/account/projects', { params: { query }, signal }))
  return items.map(({ id, name }) => entry('palette.project', '/projects', id, name))
}

const readChats = async (query: { q?: string, limit: number }, signal: AbortSignal): Promise<Command[]> => {
  const { items } = await body(api.GET('/api/v1/agent/sessions', { params: { query }, signal }))
  return items.map(({ id, title }) => entry('palette.chat', '/chat', id, title ?? say('palette.untitled')))
}

const chats: Source = ({ query, signal }) => readChats(query, signal)

const sources = [apps, specs, contents, repositories, projects, chats]

/** Services are read from the clouds, which takes long: @returns the way to the page that finds them */
export const inServices = (q: string): Command[] => q.length < fewestLetters
  ? []
  : [{
      key: 'services',
      label: say('palette.services', { words: q }),
      kind: say('palette.page'),
      to: `/services?${new URLSearchParams({ q }).toString()}`
    }]

/**
 * @returns what has the words in its name or text, kind by kind; without words, the latest chats. A kind that cannot be
 * read, such as repositories without a code host, is left out: the others are found all the same
 */
export const findThings = async (q: string, signal: AbortSignal): Promise<Command[]> => {
  if (q === '') return readChats({ limit: 8 }, signal)
  if (q.length < fewestLetters) return readChats({ q, limit }, signal)
  const search = { q, query: { q, limit }, signal }
  const found = await Promise.all(sources.map((source) => source(search).catch((): Command[] => [])))
  return found.flat()
}
