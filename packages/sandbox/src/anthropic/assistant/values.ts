import { isRecord } from '../validate/shape.js'
import type { Property } from './tools.js'
import { isFiller, isVerb, wordsOf } from './words.js'

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const idForm = new RegExp(`\\b(?:${uuid}|arn:[\\w:/+=,.@-]+|[\\w.-]+(?:~[\\w.-]+)+|\\d{6,})(?![\\w~-])`, 'i')
const quoted = /"([^"]*)"|“([^”]*)”|'([^']*)'|`([^`]*)`/
const numberForm = /(?<![\w.~-])-?\d+(?:\.\d+)?(?![\w~-]|\.\d)/
const unitWords = 'replicas?|tasks?|instances?|copies|containers?'

/** A text that loses each value as it is read, so that no word is read twice. */
export class Words {
  constructor (public rest: string) {}

  take (pattern: RegExp): string | undefined {
    const found = pattern.exec(this.rest)
    if (!found) return undefined
    this.rest = `${this.rest.slice(0, found.index)} ${this.rest.slice(found.index + found[0].length)}`
    return found.slice(1).find((group) => group !== undefined) ?? found[0]
  }
}

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const spelled = (words: string[]) => words.map(escape).join('[\\s_-]*')
const unquote = (text: string) => text.replace(/^["'`“](.*)["'`”]$/, '$1')

/** Takes an id: a UUID, an ARN, a composite id, a long number. */
export function takeId (words: Words, { pattern }: Property) {
  const id = idForm.exec(words.rest)?.[0]
  return id && fits(id, pattern) ? words.take(idForm) : undefined
}

function fits (value: string, pattern: string) {
  try {
    return new RegExp(pattern, 'u').test(value)
  } catch {
    // JavaScript may not support the schema's dialect; the server validates the value.
    return true
  }
}

/** Takes `name=value` or `name: value`, converted to the property's kind. */
export function takeAssigned (words: Words, property: Property): unknown {
  const literal = '("[^"]*"|\'[^\']*\'|\\{.*\\}|\\[.*\\]|[^\\s,;]+)'
  const value = words.take(new RegExp(`(?<![\\w-])${spelled(property.words)}\\s*[=:]\\s*${literal}`, 'i'))
  return value === undefined ? undefined : convert(unquote(value), property)
}

function convert (text: string, { kind, itemKind, options }: Property): unknown {
  const option = options.find((value) => String(value).toLowerCase() === text.toLowerCase())
  if (option !== undefined) return option
  if (kind === 'integer' || kind === 'number') return Number.isNaN(Number(text)) ? undefined : Number(text)
  if (kind === 'boolean') return !/^(false|no|off|0)$/i.test(text)
  if (kind === 'object') return json(text)
  if (kind !== 'array') return text
  const list = json(text)
  if (Array.isArray(list)) return list
  const parts = text.split(',').map((part) => part.trim()).filter(Boolean)
  return itemKind === 'integer' || itemKind === 'number' ? parts.map(Number) : parts
}

function json (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Takes the value of one property by its kind; undefined if the message lacks it. */
export function takeValue (words: Words, property: Property): unknown {
  const option = takeOption(words, property)
  if (option !== undefined) return option
  if (property.options.length > 0) return undefined
  switch (property.kind) {
    case 'integer': case 'number': return takeNumber(words, property)
    case 'boolean': return takeFlag(words, property)
    case 'object': return takeObject(words, property)
    case 'array': return takeList(words, property)
    default: return takeText(words, property)
  }
}

function takeOption (words: Words, { options }: Property) {
  return options.find((option) => {
    const form = spelled(String(option).split(/[\s_-]+/))
    return typeof option === 'string' && words.take(new RegExp(`(?<![\\w-])${form}(?![\\w-])`, 'i')) !== undefined
  })
}

function takeNumber (words: Words, property: Property) {
  const near = `(?<![\\w-])(?:${spelled(property.words)})\\s*(?:to|of|is|as|at)?\\s*(\\d+(?:\\.\\d+)?)(?![\\w~-])`
  const counts = property.words.includes('count') || property.words.includes('replicas')
  const forms = [
    new RegExp(near, 'i'),
    ...(counts ? [new RegExp(`(\\d+)\\s*(?:${unitWords})(?!\\w)`, 'i')] : []),
    ...(property.required ? [/(?:\bto|\bat|=)\s+(\d+(?:\.\d+)?)(?![\w~-])/i, numberForm] : [])
  ]
  for (const form of forms) {
    const value = words.take(form)
    if (value !== undefined) return property.kind === 'integer' ? Math.trunc(Number(value)) : Number(value)
  }
  return undefined
}

function takeFlag (words: Words, property: Property) {
  const negation = "(?:do not|don't|no|not|without|disable)\\s+"
  const found = words.take(new RegExp(`((?:${negation})?${spelled(property.words)})(?!\\w)`, 'i'))
  return found === undefined ? undefined : !new RegExp(`^${negation}`, 'i').test(found)
}

function takeObject (words: Words, property: Property) {
  const literal = /\{.*\}/s.exec(words.rest)?.[0]
  const value = literal ? json(literal) : undefined
  if (isRecord(value) && literal) {
    words.take(new RegExp(escape(literal)))
    return value
  }
  const entries = property.properties.flatMap((inner) => {
    const part = takeAssigned(words, inner) ?? takeValue(words, inner)
    return part === undefined ? [] : [[inner.name, part] as const]
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

function takeList (words: Words, property: Property) {
  const values: string[] = []
  for (let value = words.take(quoted); value !== undefined; value = words.take(quoted)) values.push(value)
  return values.length > 0 ? values : after(words, property)?.split(/\s*,\s*/)
}

function takeText (words: Words, property: Property) {
  if (property.format.startsWith('date')) return takeDate(words, property)
  if (property.format === 'uri') return words.take(/https?:\/\/\S+/i)
  if (property.format === 'email') return words.take(/[\w.+-]+@[\w-]+\.[\w.-]+/)
  if (property.format === 'uuid') return takeId(words, property)
  return after(words, property) ??
    (isNamed(property) ? takeName(words) : undefined) ??
    (property.required || isFree(property) ? words.take(quoted) : undefined) ??
    (property.required && isFree(property) ? takeSubject(words) : undefined)
}

const free = ['q', 'query', 'search', 'text', 'message', 'prompt', 'content', 'topic', 'reason', 'instructions']
const isFree = ({ words }: Property) => words.some((word) => free.includes(word))
const isNamed = ({ words }: Property) => /^(name|title)$/.test(words.at(-1) ?? '')

function takeName (words: Words) {
  const name = words.take(/\b(?:named|called|titled)\s+("[^"]*"|'[^']*'|[\w.@/-]+)/i)
  return name === undefined ? undefined : unquote(name)
}

const takeSubject = (words: Words) =>
  words.take(/\b(?:for|about|on|saying|matching|containing|mentioning)\s+(.+?)\s*[.?!]?$/i)

/** Takes what follows the property's name, or a short description of it: "branch main" for a "ref". */
function after (words: Words, property: Property) {
  const described = wordsOf(property.description)
  const aliases = described.length > 5 ? [] : described.filter((word) => !isFiller(word) && !isReserved(word))
  for (const name of [property.words, ...aliases.map((word) => [word])]) {
    const value = takeAfter(words, spelled(name))
    if (value !== undefined) return value
  }
  return undefined
}

const isReserved = (word: string) => isVerb(word) || /^(id|arn|name|key|title|text|query|page)$/i.test(word)

function takeAfter (words: Words, name: string) {
  const value = '("[^"]*"|\'[^\']*\'|[\\w.@/:-]*\\w)'
  const form = new RegExp(`(?<![\\w-])${name}\\s+(?:is\\s+|to\\s+|as\\s+|of\\s+)?${value}`, 'i')
  const found = form.exec(words.rest)?.[1]
  if (!found || isFiller(found) || isVerb(found)) return undefined
  return unquote(words.take(form) ?? '')
}

const day = 86_400_000

function takeDate (words: Words, { words: parts, format }: Property) {
  const isEnd = parts.some((part) => ['end', 'to', 'until', 'before'].includes(part))
  const today = new Date()
  const show = (date: Date) => format === 'date' ? date.toISOString().slice(0, 10) : date.toISOString()
  const literal = words.take(/\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?/)
  if (literal) return format === 'date' ? literal.slice(0, 10) : show(new Date(literal))
  const month = today.getUTCMonth()
  const startOfMonth = (offset: number) => new Date(Date.UTC(today.getUTCFullYear(), month + offset, 1))
  // The words remain: a period is the value of two properties, its start and its end.
  const match = (form: RegExp) => form.exec(words.rest)
  const days = match(/\b(?:last|past)\s+(\d+)\s+days?\b/i)?.[1] ?? (match(/\b(?:last|past) week\b/i) ? '7' : undefined)
  if (days) return show(isEnd ? today : new Date(today.getTime() - Number(days) * day))
  if (match(/\bthis month\b/i)) return show(isEnd ? today : startOfMonth(0))
  if (match(/\blast month\b/i)) return show(isEnd ? startOfMonth(0) : startOfMonth(-1))
  if (match(/\byesterday\b/i)) return show(isEnd ? today : new Date(today.getTime() - day))
  return match(/\btoday\b/i) ? show(isEnd ? new Date(today.getTime() + day) : today) : undefined
}
