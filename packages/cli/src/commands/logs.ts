import { body, type Schemas } from 'steward-client'
import { fieldsOf, given, type Command, type Context, type Input } from '../command.js'
import { Ended, exits, UsageError } from '../exits.js'
import type { Results } from '../results.js'
import { patience } from '../retries.js'
import { oneLine } from '../text.js'

type Event = Schemas['LogStreamEvent']
type Line = Schemas['LogEvent']
type Page = Schemas['LogPage']

interface Range { since?: string, until?: string }

const usual = 200
/** Of one request. */
const mostOnPage = 1_000
/** Of the time that `--around` names, to both sides. */
const aroundMs = 5 * 60_000

const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** @returns milliseconds since 1970 of `15m`, which is that long ago, or of a time with its zone. @throws UsageError */
const parseTime = (text: string, now = Date.now()): number => {
  const [, count, unit = ''] = /^(\d{1,5})([smhd])$/.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * (units[unit] ?? 0)
  const at = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) throw new UsageError(`${JSON.stringify(text)} is no time such as 15m or 2026-11-29T12:00:00Z`)
  return at
}

/** @throws UsageError for options that exclude each other */
const rangeOf = (input: Input): Range => {
  const [since, until, around] = [input.text('since'), input.text('until'), input.text('around')]
  if (input.is('follow') && (until ?? around) !== undefined) {
    throw new UsageError('--follow goes on from now: it takes neither --until nor --around')
  }
  if (around === undefined) return given({ since, until })
  if ((since ?? until) !== undefined) throw new UsageError('--around is a range of its own: leave out --since and --until')
  const at = parseTime(around)
  return { since: new Date(at - aroundMs).toISOString(), until: new Date(Math.min(at + aroundMs, Date.now())).toISOString() }
}

const show = ({ terminal }: Context, line: Line, results: Results): void => {
  if (results.isJson) return results.json(line)
  const source = [line.container, line.task_id?.slice(0, 8)].filter((part) => part != null).join('/')
  const message = `${oneLine(line.message)}${line.truncated ? ' …' : ''}`
  if (!terminal.isScreen) return terminal.print([line.timestamp, oneLine(source), message].join('\t'))
  const head = `${line.timestamp}${source === '' ? '' : ` ${oneLine(source)}`}`
  terminal.print(`${terminal.paint(head, 'dim', 'out')} ${message}`)
}

const loadPage = async (input: Input, range: Range, limit: number, cursor: string | undefined): Promise<Page> => {
  const { context: { connection: { steward: { api } } }, words: [name = ''] } = input
  const query = { ...range, ...given({ filter: input.text('filter'), cursor }), limit }
  const page = input.is('function')
    ? await body(api.GET('/infrastructure/serverless/functions/{name}/logs', { params: { path: { name }, query } }))
    : await body(api.GET('/infrastructure/containers/services/{service}/logs', {
      params: { path: { service: name }, query: { ...query, ...given({ container: input.text('container') }) } }
    }))
  // One operation answers both: this one was asked for JSON.
  if (!('items' in page)) throw new Ended(exits.unreachable, 'The answer is no page of lines')
  return page
}

/** Shows the newest lines of a range, the oldest of them first. */
const readLines = async (input: Input, range: Range): Promise<number> => {
  const { context, results } = input
  const { terminal } = context
  const most = input.count('limit') ?? (input.text('around') === undefined ? usual : mostOnPage)
  terminal.progress('Reading the log …')
  const pages = [await loadPage(input, range, Math.min(most, mostOnPage), undefined)]
  const count = () => pages.reduce((sum, { items }) => sum + items.length, 0)
  for (let next = pages[0]?.next_cursor; next != null && count() < most; next = pages[0]?.next_cursor) {
    terminal.progress(`Reading the log, ${count()} lines so far …`)
    pages.unshift(await loadPage(input, range, Math.min(most - count(), mostOnPage), next))
  }
  for (const line of pages.flatMap(({ items }) => items)) show(context, line, results)
  for (const note of new Set(pages.flatMap(({ notes }) => notes))) terminal.note(oneLine(note))
  if (pages[0]?.next_cursor != null) terminal.note(`Older lines of the range are left out: --limit ${most * 5} reads more`)
  const silent = pages.at(-1)?.sources.filter(({ status }) => !['ok', 'missing'].includes(status)) ?? []
  for (const { group, status, detail } of silent) {
    terminal.note(oneLine(`${group}: ${status}${detail === null ? '' : `, ${detail}`}`))
  }
  return silent.length > 0 ? exits.failed : exits.done
}

/** Follows until Ctrl-C: Steward ends a stream after a while, and the next one goes on behind its last line. */
const followLines = async ({ context, results }: Input, path: string, signal: AbortSignal): Promise<number> => {
  const { terminal, connection } = context
  const isLast = (event: Event) => event.type === 'end'
  const request = { ...patience(terminal), signal, isLast }
  let lastId: string | undefined
  while (!signal.aborted) {
    const from = lastId === undefined ? {} : { lastId }
    for await (const { id, data } of connection.steward.follow<Event>(path, { ...request, ...from })) {
      lastId = id || lastId
      if (data.type === 'log') show(context, data, results)
      if (data.type !== 'error') continue
      terminal.note(oneLine(data.message))
      if (!data.retryable) return exits.failed
    }
  }
  return exits.done
}

const follow = async (input: Input, range: Range): Promise<number> => {
  const [name = ''] = input.words
  const folder = input.is('function') ? '/infrastructure/serverless/functions' : '/infrastructure/containers/services'
  const query = new URLSearchParams({
    ...range, ...given({ filter: input.text('filter'), container: input.text('container') })
  }).toString()
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  try {
    const path = `${folder}/${encodeURIComponent(name)}/logs${query === '' ? '' : `?${query}`}`
    return await followLines(input, path, controller.signal)
  } finally {
    process.off('SIGINT', stop)
  }
}

export const logs: Command = {
  words: ['NAME'],
  summary: 'shows the log of a service or a function',
  options: {
    follow: { short: 'f', summary: 'goes on until Ctrl-C' },
    function: { summary: 'NAME is a function' },
    since: { value: 'TIME', summary: 'such as 15m, 2h, or a time' },
    until: { value: 'TIME', summary: 'likewise' },
    around: { value: 'TIME', summary: 'five minutes before and after it' },
    filter: { value: 'PATTERN', summary: 'of CloudWatch, such as ERROR' },
    container: { value: 'NAME', summary: 'only this container' },
    limit: { value: 'COUNT', summary: `so many lines, the newest of the range, not ${usual}` }
  },
  fields: fieldsOf<Line>()('timestamp', 'message', 'container', 'task_id', 'truncated'),
  run: (input) => {
    const range = rangeOf(input)
    return input.is('follow') ? follow(input, range) : readLines(input, range)
  }
}
