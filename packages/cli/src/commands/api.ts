import { readFileSync } from 'node:fs'
import { problemOf, readFrames } from 'steward-client'
import type { Command, Input } from '../command.js'
import { Ended, exits, UsageError } from '../exits.js'
import { jsonText } from '../text.js'

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** @returns the name and the text after the first sign. @throws UsageError */
const pair = (text: string, sign: string, option: string): [string, string] => {
  const at = text.indexOf(sign)
  if (at < 1) throw new UsageError(`--${option} takes NAME${sign}VALUE, and not ${JSON.stringify(text)}`)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** @returns what the text is as JSON, or the text itself */
const valueOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** @returns the address, with the fields of a request that has no body. @throws UsageError for another server's */
const addressOf = (path: string, query: readonly [string, string][]): string => {
  if (!path.startsWith('/') || path.startsWith('//')) {
    throw new UsageError(`${JSON.stringify(path)} is no path such as /account/me`)
  }
  const more = new URLSearchParams(query.map(([name, value]) => [name, value])).toString()
  return more === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${more}`
}

const readFile = async ({ terminal }: Input, name: string): Promise<string> => {
  if (name === '-') return terminal.readInput()
  try {
    return readFileSync(name, 'utf8')
  } catch {
    throw new UsageError(`${name} cannot be read`)
  }
}

/** @returns the request as the words and options describe it */
const requestOf = async (input: Input): Promise<{ path: string, init: RequestInit }> => {
  const [method = '', path = ''] = [input.words[0]?.toUpperCase(), input.words[1]]
  if (!methods.has(method)) throw new UsageError(`There is no method ${method}; there is ${[...methods].join(', ')}`)
  const fields = input.all('field').map((text) => pair(text, '=', 'field'))
  const file = input.text('input')
  if (file !== undefined && fields.length > 0) throw new UsageError('A body comes from --field or from --input, not both')
  const headers = new Headers(input.all('header').map((text) => pair(text, ':', 'header')))
  if (method === 'GET' || method === 'HEAD') {
    if (file !== undefined) throw new UsageError(`A ${method} has no body`)
    return { path: addressOf(path, fields), init: { method, headers } }
  }
  const body = file === undefined
    ? fields.length > 0 ? JSON.stringify(Object.fromEntries(fields.map(([name, text]) => [name, valueOf(text)]))) : undefined
    : await readFile(input, file)
  if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json')
  return { path: addressOf(path, []), init: { method, headers, ...(body !== undefined && { body }) } }
}

const typeOf = ({ headers }: Response): string => headers.get('content-type') ?? ''

/** JSON on one line in a pipe, and over several at a terminal. */
const show = ({ terminal, results }: Input, value: unknown): void => {
  if (results.isJson && typeof value === 'object' && value !== null) return results.json(value)
  terminal.print(jsonText(value, terminal.isScreen && !results.isJson ? 2 : undefined))
}

/** Shows an answer as it is. @returns the cursor of the next page, if it is a page that has one */
const showAnswer = async (input: Input, response: Response): Promise<string | undefined> => {
  const { terminal } = input
  if (typeOf(response).startsWith('text/event-stream')) {
    for await (const { data } of readFrames<object>(response)) show(input, data)
    return undefined
  }
  if (!/\bjson\b/.test(typeOf(response))) {
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (/^text\/|yaml/.test(typeOf(response))) terminal.write(new TextDecoder().decode(bytes))
    else if (!terminal.isScreen) terminal.writeBytes(bytes)
    else if (bytes.length > 0) terminal.note(`${bytes.length} bytes of ${typeOf(response)}: send them to a file`)
    return undefined
  }
  const value: unknown = await response.json().catch((error: unknown) => { throw problemOf(error) })
  // A page of the API, or anything else.
  const { items, next_cursor: next } = Object(value) as { items?: unknown[], next_cursor?: string | null }
  const isPage = Array.isArray(items) && (input.is('all') || input.results.isJson)
  for (const item of isPage ? items : [value]) show(input, item)
  return isPage ? next ?? undefined : undefined
}

const send = async (input: Input, path: string, init: RequestInit): Promise<string | undefined> => {
  const response = await input.context.connection.steward.send(path, init)
  if (response.ok) return showAnswer(input, response)
  const text = await response.text()
  const error = valueOf(text)
  if (typeof error === 'object') show(input, error)
  throw problemOf(error, response)
}

export const api: Command = {
  words: ['METHOD', 'PATH'],
  summary: 'sends any request of the API, such as GET /account/me',
  options: {
    field: { value: 'NAME=VALUE', short: 'F', isMany: true, summary: 'of the query of a GET, else of a JSON body' },
    input: { value: 'FILE', summary: 'the body; - reads it from the input' },
    header: { value: 'NAME:VALUE', short: 'H', isMany: true, summary: 'a header, such as If-Match' },
    all: { summary: 'the items of all pages of a list, one a line' }
  },
  fields: 'any',
  run: async (input) => {
    const { path, init } = await requestOf(input)
    let next = await send(input, path, init)
    for (const seen = new Set<string>(); input.is('all') && next !== undefined;) {
      if (seen.has(next)) throw new Ended(exits.unreachable, 'The list\'s next page is one that was there before')
      seen.add(next)
      const url = new URL(path, 'http://steward')
      url.searchParams.set('cursor', next)
      next = await send(input, `${url.pathname}${url.search}`, init)
    }
    return exits.done
  }
}
