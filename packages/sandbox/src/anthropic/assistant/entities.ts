import { itemsOf, nameOf, type Call } from './conversation.js'
import type { Property, Tool } from './tools.js'
import { isFiller, isVerb, stem, wordsOf } from './words.js'

const fanOut = 10
const maxPages = 5
const maxDepth = 3

type Input = Record<string, unknown>
type Item = Record<string, unknown>

/** An item by its id, with its display name. */
export interface Reference { id: unknown, name: string }

/** A call that the assistant plans. */
export interface PlannedCall { tool: Tool, input: Input }

/** The state of resolving the item that a property names. */
export type Resolution =
  | { found: Reference[] }
  | { lookups: PlannedCall[] }
  | { failed: Call[], noun: string }
  | { unknown: { noun: string, wanted: string[], choices: string[] } }

/** The scope for resolving names: the tools and their results, the words of the clause, the resolved items. */
export interface Scope {
  tools: Tool[]
  calls: Call[]
  clause: string
  tool: Tool
  resolved: Map<string, Reference[]>
}

/** The noun of a property, if a tool lists such items. */
export function entityOf (property: Property, tool: Tool, tools: Tool[]): string | undefined {
  if (property.kind !== 'string' || property.options.length > 0) return undefined
  const last = property.words.at(-1) ?? ''
  const isReference = ['id', 'arn'].includes(last) && property.words.length > 1
  const noun = stem(property.words.at(isReference ? -2 : -1) ?? '')
  if (listersOf(noun, tool, tools).length > 0) return noun
  const isOwn = property.name === 'id' || (property.name === 'name' && property.required && !tool.kinds.has('create'))
  return isOwn ? tool.nouns.find((own) => listersOf(own, tool, tools).length > 0) : undefined
}

/** The tools that list things of a kind, the best one for this tool first. */
function listersOf (noun: string, tool: Tool, tools: Tool[]): Tool[] {
  const kinship = (lister: Tool) => lister.nouns.filter((own) => tool.nouns.includes(own) && own !== noun).length
  return tools
    .filter((lister) => lister !== tool && lister.isRead && lister.nouns.at(-1) === noun)
    // A plural lists, a singular reads one.
    .filter((lister) => lister.nounWords.at(-1) !== noun)
    .toSorted((a, b) => kinship(b) - kinship(a) || a.nouns.length - b.nouns.length)
}

/** Resolves what a clause names from existing results, or returns the calls that would find it. */
export function resolve (noun: string, scope: Scope, depth = 0): Resolution {
  const lister = listersOf(noun, scope.tool, scope.tools)[0]
  if (!lister || depth > maxDepth) return { unknown: { noun, wanted: [], choices: [] } }
  const results = scope.calls.filter((call) => call.name === lister.name)
  const known = select(itemsFrom(results), noun, scope)
  if (known.length > 0 && wantedWords(scope, noun).length > 0) return { found: known.map(reference) }
  const missing = missingLookups(lister, scope, depth)
  const isDone = 'lookups' in missing && missing.lookups.length === 0
  return isDone ? settle(results, noun, scope) : missing
}

function settle (results: Call[], noun: string, scope: Scope): Resolution {
  const current = results.filter(({ isCurrent }) => isCurrent)
  const failed = current.filter(({ isError }) => isError)
  const items = itemsFrom(current)
  if (failed.length > 0 && items.length === 0) return { failed, noun }
  const matching = select(items, noun, scope)
  if (matching.length > 0) return { found: matching.map(reference) }
  return { unknown: { noun, wanted: wantedWords(scope, noun), choices: [...new Set(items.map(nameOf))] } }
}

/** The calls that list all items of a kind, without those already made for this message. */
function missingLookups (lister: Tool, scope: Scope, depth: number): Resolution {
  let inputs: Input[] = [{}]
  for (const property of lister.properties.filter(({ required }) => required)) {
    const noun = entityOf(property, lister, scope.tools)
    if (!noun) return { unknown: { noun: property.words.join(' '), wanted: [], choices: [] } }
    const parents = parentsOf(noun, { ...scope, tool: lister }, depth)
    if (!('found' in parents)) return parents
    inputs = parents.found.slice(0, fanOut)
      .flatMap(({ id }) => inputs.map((input) => ({ ...input, [property.name]: id })))
  }
  const pending = inputs.map((input) => nextPage(lister, input, scope.calls))
  return { lookups: pending.flatMap((input) => input ? [{ tool: lister, input }] : []) }
}

// Without a named parent, all parents are listed.
function parentsOf (noun: string, scope: Scope, depth: number): Resolution {
  const known = scope.resolved.get(noun)
  if (known) return { found: known }
  const parent = resolve(noun, scope, depth + 1)
  if (!('unknown' in parent)) return parent
  const lister = listersOf(noun, scope.tool, scope.tools)[0]
  return { found: itemsFrom(scope.calls.filter((call) => call.name === lister?.name)).map(reference) }
}

/** The input of the next call to make: the first page, the page after the last one, or nothing. */
function nextPage (lister: Tool, input: Input, calls: Call[]) {
  const made = calls.filter((call) => call.isCurrent && call.name === lister.name && covers(call.input, input))
  const last = made.at(-1)
  if (!last) return input
  const cursor = typeof last.data === 'object' && last.data && 'next_cursor' in last.data ? last.data.next_cursor : null
  const canPage = lister.properties.some(({ name }) => name === 'cursor') && made.length < maxPages
  return typeof cursor === 'string' && canPage ? { ...input, cursor } : undefined
}

const covers = (input: Input, part: Input) =>
  Object.entries(part).every(([key, value]) => JSON.stringify(input[key]) === JSON.stringify(value))

const itemsFrom = (calls: Call[]) => calls.filter(({ isError }) => !isError).flatMap(({ data }) => itemsOf(data) ?? [])

const reference = (item: Item): Reference => ({ id: item.id ?? item.name ?? item.key, name: nameOf(item) })

/** The words of a clause that can be the name of something. */
export function wantedWords ({ clause, tool, tools }: Pick<Scope, 'clause' | 'tool' | 'tools'>, noun: string) {
  const nouns = new Set([...tools.flatMap((other) => other.nouns), noun])
  const arguments_ = new Set(tool.properties.flatMap(({ words }) => words.map(stem)))
  const isCommon = (word: string) => [nouns, arguments_, tool.descriptionStems].some((known) => known.has(stem(word)))
  return wordsOf(clause).filter((word) =>
    !isFiller(word) && !isVerb(word) && !isTime(word) && !isCommon(word) && !/^\d+(\.\d+)?$/.test(word))
}

const isTime = (word: string) =>
  /^(last|latest|newest|recent|past|this|months?|weeks?|days?|today|yesterday)$/i.test(word)

/** The items that a clause means: those it names, those that a field of theirs names, or all of them. */
function select (items: Item[], noun: string, scope: Scope): Item[] {
  const distinct = [...new Map(items.map((item) => [String(item.id ?? nameOf(item)), item])).values()]
  const named = distinct.filter((item) => namesOf(item).some((name) => mentions(scope.clause, name)))
  const longest = Math.max(0, ...named.map((item) => nameOf(item).length))
  const best = named.filter((item) => nameOf(item).length === longest)
  const wanted = wantedWords(scope, noun)
  if (best.length > 0) return closest(best, wanted)
  // Lists come newest first.
  if (asksForLatest(scope.clause, noun)) return distinct.slice(0, 1)
  return wanted.length === 0 ? distinct : distinct.filter((item) => wanted.some((word) => hasField(item, word)))
}

const namesOf = (item: Item) => [nameOf(item), item.id, item.full_name, item.key, item.slug, item.number]
  .flatMap((name) => typeof name === 'string' || typeof name === 'number' ? [String(name)] : [])

// Other words of the clause (a cluster, a region) may distinguish equal names.
function closest (items: Item[], wanted: string[]) {
  if (items.length < 2) return items
  const others = wanted.filter((word) => !items.some((item) => nameOf(item).toLowerCase() === word.toLowerCase()))
  const closer = items.filter((item) =>
    others.some((word) => String(item.id).split(/[~/:]/).includes(word) || hasField(item, word)))
  return closer.length > 0 ? closer : items
}

function asksForLatest (clause: string, noun: string) {
  const words = wordsOf(clause)
  const at = words.findIndex((word) => /^(last|latest|newest|recent)$/i.test(word))
  return at !== -1 && words.slice(at + 1, at + 3).some((word) => stem(word) === noun)
}

const hasField = (item: Item, word: string) =>
  Object.values(item).some((value) => typeof value === 'string' && value.toLowerCase() === word.toLowerCase())

/** The form of a name in a text, whatever joins its words. */
const formOf = (name: string) =>
  new RegExp(`(?<![\\w-])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/[\s_-]+/g, '[\\s_-]+')}(?![\\w-])`, 'i')

const mentions = (text: string, name: string) => name !== '' && formOf(name).test(text)

/** A text without the names of what has been found in it. */
export const withoutNames = (text: string, found: Reference[]) =>
  found.reduce((rest, { name }) => name === '' ? rest : rest.replace(formOf(name), ' '), text)
