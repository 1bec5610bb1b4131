import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { isRecord } from '../validate/shape.js'
import { isFiller, requestedKinds, kindsOf, partsOfName, plural, stem, wordsOf } from './words.js'

const readKinds = ['read', 'search']

const kinds = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const

/** One argument of a tool, as its schema describes it. */
export interface Property {
  name: string
  kind: typeof kinds[number]
  words: string[]
  required: boolean
  description: string
  options: unknown[]
  format: string
  pattern: string
  properties: Property[]
  itemKind: Property['kind']
  hasDefault: boolean
}

/** A tool's properties by its name, its description and its schema. */
export interface Tool {
  name: string
  description: string
  verb: string
  kinds: Set<string>
  isRead: boolean
  nouns: string[]
  nounWords: string[]
  descriptionStems: Set<string>
  properties: Property[]
}

/** The tools of a request that the client executes. */
export const toolsOf = (request: MessageCreateParamsBase): Tool[] =>
  (request.tools ?? []).flatMap((tool) => 'input_schema' in tool ? [describeTool(tool)] : [])

interface RawTool { name: string, description?: string, input_schema: object }

function describeTool ({ name, description = '', input_schema: schema }: RawTool): Tool {
  const [verb = name, ...nounWords] = partsOfName(name)
  const kinds = kindsOf(verb)
  return {
    name,
    description,
    verb,
    kinds,
    // Verbs like "set" belong to several kinds; without a verb in the message, only a pure reader may be called.
    isRead: [...kinds].some((kind) => readKinds.includes(kind)) && verb !== 'check',
    nouns: nounWords.map(stem),
    nounWords,
    descriptionStems: new Set(wordsOf(description).map(stem)),
    properties: propertiesOf({ ...schema })
  }
}

function propertiesOf (schema: Record<string, unknown>): Property[] {
  if (!isRecord(schema.properties)) return []
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(schema.properties)
    .flatMap(([name, value]) => isRecord(value) ? [describeProperty(name, value, required.includes(name))] : [])
}

function describeProperty (name: string, raw: Record<string, unknown>, required: boolean): Property {
  const { schema, options } = resolved(raw)
  const kind = kindOf(schema, options)
  return {
    name,
    kind,
    words: partsOfName(name),
    required,
    description: String(raw.description ?? schema.description ?? ''),
    options,
    format: String(schema.format ?? formOf(name, String(raw.description ?? ''))),
    pattern: String(schema.pattern ?? ''),
    properties: propertiesOf(schema),
    itemKind: isRecord(schema.items) ? kindOf(schema.items, []) : 'string',
    hasDefault: 'default' in raw || 'default' in schema
  }
}

/** A schema for models has no formats: its words have an example, and its names end as ids do. */
function formOf (name: string, description: string) {
  if (/such as \d{4}-\d\d-\d\dT/.test(description)) return 'date-time'
  if (/such as \d{4}-\d\d-\d\d$/.test(description)) return 'date'
  return /_id$/.test(name) && / id of /.test(description) ? 'uuid' : ''
}

// A union of constants is an enum; a union with null, or of several shapes, counts as its first shape.
function resolved (schema: Record<string, unknown>): { schema: Record<string, unknown>, options: unknown[] } {
  const union = [schema.anyOf, schema.oneOf].find(Array.isArray)
  const parts = (union ?? []).filter(isRecord).filter(({ type }) => type !== 'null')
  const constants = parts.filter((part) => 'const' in part).map((part) => part.const)
  if (parts.length > 0 && constants.length === parts.length) return { schema, options: constants }
  if (parts[0]) return { schema: parts[0], options: Array.isArray(parts[0].enum) ? parts[0].enum : [] }
  if ('const' in schema) return { schema, options: [schema.const] }
  return { schema, options: Array.isArray(schema.enum) ? schema.enum : [] }
}

function kindOf (schema: Record<string, unknown>, options: unknown[]): Property['kind'] {
  if (options.length > 0) return typeof options[0] === 'number' ? 'number' : 'string'
  const named: unknown = Array.isArray(schema.type) ? schema.type.find((type) => type !== 'null') : schema.type
  // A property without a type accepts any JSON.
  return kinds.find((kind) => kind === named) ?? 'object'
}

/** What a tool does, in words: "list cluster services". */
export const phraseOf = (tool: Tool) => [tool.verb, ...tool.nounWords].join(' ')

/** The tools that fit a clause best, best first: more than one only where they fit equally well. */
export function chooseTools (text: string, tools: Tool[], inherited?: Set<string>): Tool[] {
  const requested = requestedKinds(text)
  const words = wordsOf(text).map((word) => word.toLowerCase())
  const kinds = requested ?? inherited ?? new Set(['read'])
  const scored = tools
    .map((tool) => ({ tool, score: score(tool, kinds, words) }))
    .filter(({ tool, score }) => score >= (tool.isRead ? 4 : 2) && (tool.isRead || isNamed(tool, tools, words)))
    .toSorted((a, b) => b.score - a.score)
  const best = scored[0]?.score ?? 0
  return scored.filter(({ score }) => best - score < 0.5).map(({ tool }) => tool)
}

/** A guess may read. What is to be changed has to be named, unless the verb says it: only one tool invokes. */
function isNamed (tool: Tool, tools: Tool[], words: string[]) {
  const stems = words.map(stem)
  return tool.nouns.some((noun) => stems.includes(noun)) || (stems.includes(stem(tool.verb)) &&
    tools.filter(({ verb, isRead }) => verb === tool.verb && !isRead).length <= 2)
}

function nounScore (noun: string, nounWord: string, words: string[]) {
  const mentions = words.filter((word) => !isFiller(word) && stem(word) === noun)
  if (mentions.length === 0) return -1
  // "services" asks for a list, "service" for one of them.
  const isOtherNumber = mentions.every((word) => word === plural(nounWord) || nounWord === plural(word))
  return isOtherNumber ? 1.5 : 4
}

function score (tool: Tool, kinds: Set<string>, words: string[]) {
  if (![...tool.kinds].some((kind) => kinds.has(kind))) return 0
  const stems = words.map(stem)
  const nouns = tool.nouns.reduce((sum, noun, index) => sum + nounScore(noun, tool.nounWords[index] ?? '', words), 0)
  const described = new Set(stems.filter((word) => tool.descriptionStems.has(word) && !tool.nouns.includes(word))).size
  const named = tool.properties.filter(({ words: parts }) => parts.some((part) => stems.includes(stem(part)))).length
  const verbScore = words.some((word) => stem(word) === stem(tool.verb)) ? 1.5 : 0
  return 3 + verbScore + nouns + Math.min(1.5, described * 0.3) + Math.min(1.5, named * 0.3)
}
