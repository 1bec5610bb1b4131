import { isNamed, itemsOf, nameOf } from './conversation.js'
import { isRecord } from '../validate/shape.js'
import { counted, plural } from './words.js'

const maxRows = 20
const maxFields = 4
const maxLines = 15

type Item = Record<string, unknown>

/** Escapes text from elsewhere: it must not become a link, an image or markup. */
export const plain = (text: string) => text.replace(/[[\]<>*`|]/g, '\\$&')

/** An id as people name the thing: without the account that `<account>~<region>~<name>` begins with. */
export const readable = (id: string): string =>
  id.replace(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}~/, '').replaceAll('~', ' / ')

const humanised = (key: string) => key.replace(/_/g, ' ')

/** The units that names of the API end with. */
const units: readonly [ending: RegExp, unit: string][] = [[/_mb$/, 'MB'], [/_ms$/, 'ms'], [/_s$/, 's'], [/_pct$/, '%']]

/** @returns a field as people write it: memory_mb: 512 becomes memory: 512 MB */
const labelled = (key: string, value: unknown, text: string): string => {
  const [ending, unit] = (typeof value === 'number' && units.find(([form]) => form.test(key))) || []
  return ending ? `${humanised(key.replace(ending, ''))}: ${text} ${unit}` : `${humanised(key)}: ${text}`
}

/** A value in a few words, or nothing for internal values. */
function shortValue (value: unknown): string | undefined {
  if (isRecord(value) && 'amount' in value && 'currency' in value) return `${value.amount} ${value.currency}`
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'string' || value === '' || value.includes('\n')) return undefined
  return plain(value.length > 60 ? `${value.slice(0, 57)}…` : value)
}

const isIdentity = (key: string) => /(^|_)(id|arn|cursor|token|etag|digest|hash)$|^revision$/.test(key)

function weight (key: string, value: unknown) {
  if (/status|state|health|outcome|error|result/.test(key)) return 0
  if (typeof value === 'number' || isRecord(value)) return 1
  return /(_at|_on|time|date|url)$/.test(key) ? 3 : 2
}

/** The most useful fields of a row: its state, its numbers, then the rest. */
function fieldsOf (item: Item, limit: number): string[] {
  const name = isNamed(item) ? nameOf(item) : undefined
  return Object.entries(item)
    .filter(([key, value]) => !isIdentity(key) && value !== name)
    .toSorted(([a, x], [b, y]) => weight(a, x) - weight(b, y))
    .flatMap(([key, value]) => {
      const text = shortValue(value)
      return text === undefined ? [] : [labelled(key, value, text)]
    })
    .slice(0, limit)
}

function line (item: Item) {
  const name = nameOf(item)
  const fields = fieldsOf(item, maxFields + 1).filter((field) => !field.endsWith(`: ${plain(name)}`))
  return [`- **${plain(name)}**`, fields.slice(0, maxFields).join(', ')].filter(Boolean).join(' — ')
}

/** A list in Markdown: how many, then one line for each. */
export function renderList (items: Item[], noun: string, data?: unknown): string {
  const rest = hasMore(data) ? '\n\nThere are more; ask for the next ones by narrowing the question.' : ''
  if (items.length === 0) return `There are no ${plural(noun)}.`
  if (items.every(isLogLine)) return renderLog(items)
  const shown = items.slice(0, maxRows).map(line).join('\n')
  const hidden = items.length > maxRows ? `\n- … and ${items.length - maxRows} more` : ''
  return `${counted(items.length, noun)}:\n\n${shown}${hidden}${rest}${renderGaps(data)}`
}

const hasMore = (data: unknown) => isRecord(data) && typeof data.next_cursor === 'string'

// A list over several sources names those that did not answer.
function renderGaps (data: unknown) {
  const errors = isRecord(data) && data.partial && Array.isArray(data.errors) ? data.errors.filter(isRecord) : []
  if (errors.length === 0) return ''
  const reasons = errors.map((error) => plain(String(error.message ?? error.detail ?? error.code ?? 'no reason given')))
  return `\n\nThis is not everything: ${reasons.join('; ')}.`
}

const timeOf = (item: Item) => item.timestamp ?? item.time ?? item.ts ?? item.at
const isLogLine = (item: Item) => typeof item.message === 'string' && timeOf(item) !== undefined

function renderLog (items: Item[]) {
  const lines = items.slice(-maxLines).map((item) => `${timeOf(item)} ${String(item.message).trimEnd()}`)
  const count = counted(items.length, 'line')
  const heading = items.length > maxLines ? `The last ${maxLines} of ${count}:` : `${count}:`
  return `${heading}\n\n\`\`\`text\n${lines.join('\n').replaceAll('```', "'''")}\n\`\`\``
}

/** One result in Markdown, whatever its shape. */
export function renderResult (data: unknown, noun: string): string {
  const items = itemsOf(data)
  if (items) return renderList(items, noun, data)
  if (isRecord(data)) return renderRecord(data)
  const text = String(data ?? '').trim()
  if (text === '') return 'It answered with nothing.'
  return text.length <= 200 && !text.includes('\n')
    ? `The answer is: ${plain(text)}`
    : `\`\`\`text\n${text.slice(0, 1500).replaceAll('```', "'''")}\n\`\`\``
}

function renderRecord (record: Item): string {
  const inner = Object.entries(record).flatMap(([key, value]) =>
    isRecord(value) && shortValue(value) === undefined
      ? fieldsOf(value, maxFields).map((field) => `${humanised(key)} ${field}`)
      : [])
  const lists = Object.entries(record).flatMap(([key, value]) => {
    const rows = Array.isArray(value) ? value.filter(isRecord) : []
    return rows.length > 0 ? [`\n\n${humanised(key)}:\n\n${rows.slice(0, maxRows).map(line).join('\n')}`] : []
  })
  const fields = [...fieldsOf(record, 8), ...inner.slice(0, 6)]
  const heading = isNamed(record) ? `**${plain(nameOf(record))}**\n\n` : ''
  return `${heading}${fields.map((field) => `- ${field}`).join('\n')}${lists.join('')}`.trim() || 'Done.'
}

/** One result in half a sentence. */
export function renderBrief (data: unknown): string {
  return isRecord(data) ? fieldsOf(data, maxFields).join(', ') : shortValue(data) ?? ''
}
