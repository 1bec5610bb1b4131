import { body, type Problem, type Schemas } from 'steward-client'
import type { Context } from './decide.js'
import { Ended, exits } from './exits.js'
import { oneLine } from './text.js'

type Event = Schemas['LogStreamEvent']
type Line = Schemas['LogEvent']

export interface LogOptions {
  follow: boolean
  /** It is a function, and no service. */
  isFunction: boolean
  since?: string | undefined
  filter?: string | undefined
  container?: string | undefined
  json: boolean
}

const show = ({ terminal }: Context, line: Line, json: boolean): void => {
  if (json) return terminal.json(line)
  const source = [line.container, line.task_id?.slice(0, 8)].filter((part) => part != null).join('/')
  const head = `${line.timestamp}${source === '' ? '' : ` ${oneLine(source)}`}`
  terminal.print(`${terminal.paint(head, 'dim', 'out')} ${oneLine(line.message)}${line.truncated ? ' …' : ''}`)
}

const readPage = async (context: Context, name: string, options: LogOptions): Promise<number> => {
  const { api } = context.connection.steward
  const { since, filter, container } = options
  const query = { ...(since !== undefined && { since }), ...(filter !== undefined && { filter }) }
  const page = options.isFunction
    ? await body(api.GET('/infrastructure/serverless/functions/{name}/logs', { params: { path: { name }, query } }))
    : await body(api.GET('/infrastructure/containers/services/{service}/logs', {
      params: { path: { service: name }, query: { ...query, ...(container !== undefined && { container }) } }
    }))
  // One operation answers both: this one was asked for JSON.
  if (!('items' in page)) throw new Ended(exits.unreachable, 'The answer is no page of lines')
  for (const line of page.items) show(context, line, options.json)
  for (const note of page.notes) context.terminal.note(oneLine(note))
  const silent = page.sources.filter(({ status }) => !['ok', 'missing'].includes(status))
  for (const { group, status, detail } of silent) {
    context.terminal.note(oneLine(`${group}: ${status}${detail === null ? '' : `, ${detail}`}`))
  }
  return silent.length > 0 ? exits.failed : exits.done
}

/** Follows until Ctrl-C: Steward ends a stream after a while, and the next one goes on behind its last line. */
const followLines = async (context: Context, path: string, json: boolean, signal: AbortSignal): Promise<number> => {
  const { terminal, connection } = context
  const onBreak = (failures: number, problem: Problem | undefined) => {
    if (failures === 1) terminal.note(`The connection broke, and is made again. ${oneLine(problem?.message ?? '')}`)
  }
  const isLast = (event: Event) => event.type === 'end'
  let lastId: string | undefined
  while (!signal.aborted) {
    const from = lastId === undefined ? {} : { lastId }
    for await (const { id, data } of connection.steward.follow<Event>(path, { signal, isLast, onBreak, ...from })) {
      lastId = id || lastId
      if (data.type === 'log') show(context, data, json)
      if (data.type !== 'error') continue
      terminal.note(oneLine(data.message))
      if (!data.retryable) return exits.failed
    }
  }
  return exits.done
}

/** Shows the lines of a service or a function; with `follow`, those that come. */
export const logs = async (context: Context, name: string, options: LogOptions): Promise<number> => {
  if (!options.follow) return readPage(context, name, options)
  const { since, filter, container } = options
  const given = Object.entries({ since, filter, container }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as [string, string]])
  const folder = options.isFunction ? '/infrastructure/serverless/functions' : '/infrastructure/containers/services'
  const query = new URLSearchParams(given).toString()
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  try {
    const path = `${folder}/${encodeURIComponent(name)}/logs${query === '' ? '' : `?${query}`}`
    return await followLines(context, path, options.json, controller.signal)
  } finally {
    process.off('SIGINT', stop)
  }
}
