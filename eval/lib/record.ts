import { sql } from 'kysely'
import { fieldsOf } from '../../schemas/unknown.js'
import { resultsOf, type Block, type Message } from './messages.js'
import type { Call, Results, Transcript, Turn } from './transcript.js'
import type { World } from './world.js'

/** The model's own words and calls: the API shows arguments as they were resolved. */
const messagesOf = async ({ app }: World, session: string): Promise<Message[]> => {
  const { rows } = await sql<Message>`select role, content from agent_message
    where workspace_id = ${app.home.workspace_id} and session_id = ${session} order by seq`.execute(app.db)
  return rows
}

/** Values that another world has others of. */
const isVolatile = (text: string): boolean => /[\da-f]{8}-[\da-f]{4}|[\da-f]{16}|\d{4}-\d\d-\d\dT/.test(text)

/** @returns where each value lies, the first of equal ones, as a reference of a transcript */
const pathsOf = (results: Results): Map<string, string> => {
  const paths = new Map<string, string>()
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'string' && isVolatile(value) && !paths.has(value)) paths.set(value, `{{${path}}}`)
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) walk(inner, `${path}.${name}`)
  }
  results.forEach((turn, at) => turn.forEach((result, nth) => walk(result, `${at + 1}.${nth + 1}`)))
  return paths
}

const withReferences = (value: unknown, paths: Map<string, string>): unknown => {
  if (typeof value === 'string') return paths.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => withReferences(item, paths))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withReferences(inner, paths)]))
}

const isSearch = ({ type, name }: Block): boolean =>
  type === 'server_tool_use' && name?.startsWith('tool_search_tool_') === true

/** A search of the provider's own ends a message's part: what it found can be called in the next turn only. */
const splitAtSearches = (blocks: Block[]): Block[][] => {
  const parts: Block[][] = [[]]
  for (const block of blocks) {
    parts.at(-1)?.push(block)
    if (isSearch(block)) parts.push([])
  }
  return parts.filter((part) => part.length > 0)
}

/** A search by the provider becomes one by Steward, which a replay has. */
const callOf = ({ type, name = '', input }: Block): Call[] => {
  const given = fieldsOf(input)
  if (type === 'tool_use') return [{ name, input: given }]
  return isSearch({ type, name }) ? [{ name: 'findTools', input: { query: Object.values(given).join(' ') } }] : []
}

const turnOf = (blocks: Block[], paths: Map<string, string>): Turn => {
  const text = blocks.map((block) => block.text ?? '').join('')
  // References are strings, as what they replace.
  const calls = blocks.flatMap(callOf).map((call) => withReferences(call, paths) as Call)
  return { ...(text && { text }), ...(calls.length > 0 && { calls }) }
}

/** @returns the model's turns, with references to results in place of what other worlds lack */
export const toTurns = (messages: Message[]): Turn[] => {
  const turns: Turn[] = []
  const results: Results = []
  const found = resultsOf(messages)
  for (const [at, { content }] of messages.filter(({ role }) => role === 'assistant').entries()) {
    const paths = pathsOf(results)
    const parts = splitAtSearches(typeof content === 'string' ? [{ type: 'text', text: content }] : content)
    for (const part of parts) {
      turns.push(turnOf(part, paths))
      results.push(part === parts.at(-1) ? found[at] ?? [] : [])
    }
  }
  return turns
}

/** @returns the conversation as it can be played again */
export const record = async (world: World, session: string, task: string, model: string): Promise<Transcript> => ({
  task,
  made_by: `recorded from ${model} on ${new Date().toISOString().slice(0, 10)}`,
  turns: toTurns(await messagesOf(world, session))
})
