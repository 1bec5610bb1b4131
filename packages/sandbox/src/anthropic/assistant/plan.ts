import type { Clause } from './clauses.js'
import type { Call, Conversation } from './conversation.js'
import { entityOf, resolve, wantedWords, withoutNames, type PlannedCall, type Scope } from './entities.js'
import { readable } from './render.js'
import type { Property, Tool } from './tools.js'
import { takeAssigned, takeId, takeValue, Words } from './values.js'
import { stem, wordsOf } from './words.js'

const fanOut = 10
const sameReads = 3

/** The plan for one clause, as far as it is known. */
export type Plan = { waits?: boolean } & (
  | { state: 'calls', calls: PlannedCall[], subject: string }
  | { state: 'lookups', calls: PlannedCall[] }
  | { state: 'missing', tool: Tool, properties: Property[] }
  | { state: 'unclear', tool: Tool, noun: string, choices: string[] }
  | { state: 'unknown', tool: Tool, noun: string, wanted: string[], choices: string[] }
  | { state: 'failed', tool: Tool, noun: string, failures: Call[] }
)

type Input = Record<string, unknown>
interface Draft { tool: Tool, input: Input, rest: string, open: Property[] }

/** Plans every clause of a message from its words and from the tools' results so far. */
export function planClauses (clauses: Clause[], tools: Tool[], conversation: Conversation): Plan[] {
  const drafts = clauses.map((clause) => clause.tools.map((tool) => draft(tool, clause.text, tools)))
  shareValues(clauses, drafts)
  return clauses.flatMap(({ waits, isGuess }, index) => {
    const plan = best((drafts[index] ?? []).map((one) => new Completion(one, tools, conversation).plan()))
    const isWrongGuess = isGuess && (plan.state === 'unknown' || plan.state === 'failed')
    return isWrongGuess ? [] : [{ ...plan, waits }]
  })
}

/** Reads the values for a tool's arguments from the words of a clause, except names. */
function draft (tool: Tool, text: string, tools: Tool[]): Draft {
  const words = new Words(text)
  const input: Input = {}
  const isEntity = (property: Property) => entityOf(property, tool, tools) !== undefined
  const isId = ({ words: parts }: Property) => parts.at(-1) === 'id'
  const readers: [(property: Property) => boolean, (property: Property) => unknown][] = [
    [() => true, (property) => takeAssigned(words, property)],
    [(property) => isEntity(property) && property.required, (property) => takeId(words, property)],
    [isId, (property) => takeId(words, property)],
    [(property) => !isEntity(property) && property.required, (property) => takeValue(words, property)],
    [(property) => !isEntity(property), (property) => takeValue(words, property)]
  ]
  for (const [applies, read] of readers) {
    for (const property of tool.properties.filter((one) => input[one.name] === undefined && applies(one))) {
      const value = read(property)
      if (value !== undefined) input[property.name] = value
    }
  }
  const open = tool.properties.filter(({ name, required }) => required && input[name] === undefined)
  return { tool, input, rest: words.rest, open }
}

// "scale web and api to 4": the arguments of the last part apply to the parts before it.
function shareValues (clauses: Clause[], drafts: Draft[][]) {
  for (let index = clauses.length - 2; index >= 0; index--) {
    if (clauses[index]?.tools !== clauses[index + 1]?.tools) continue
    drafts[index]?.forEach((one, position) => {
      const next = drafts[index + 1]?.[position]?.input ?? {}
      const given = one.open.filter(({ name, kind }) => kind !== 'string' && next[name] !== undefined)
      for (const { name } of given) one.input[name] = next[name]
      one.open = one.open.filter((property) => !given.includes(property))
    })
  }
}

/** Completes a draft: resolves names to ids, and "it" to the item mentioned last. */
class Completion {
  readonly #draft: Draft
  readonly #scope: Scope
  readonly #missing: Property[] = []
  readonly #lookups: PlannedCall[] = []
  readonly #names: string[] = []
  #inputs: Input[]

  constructor (one: Draft, tools: Tool[], conversation: Conversation) {
    this.#draft = one
    this.#inputs = [one.input]
    this.#scope = { tools, calls: conversation.calls, clause: one.rest, tool: one.tool, resolved: new Map() }
  }

  plan (): Plan {
    const { tool, open, input } = this.#draft
    for (const property of open) {
      const obstacle = this.#fill(property)
      if (obstacle) return obstacle
    }
    if (this.#missing.length > 0) return { state: 'missing', tool, properties: this.#missing }
    if (this.#lookups.length === 0) this.#filter()
    if (this.#lookups.length > 0) return { state: 'lookups', calls: this.#lookups }
    const own = tool.kinds.has('create') ? input.name ?? input.title ?? input.key : undefined
    const subject = typeof own === 'string' ? own : this.#names.join(', ')
    return { state: 'calls', calls: this.#inputs.map((one) => ({ tool, input: one })), subject }
  }

  #fill (property: Property): Plan | undefined {
    const noun = entityOf(property, this.#draft.tool, this.#scope.tools)
    const value = noun ? this.#referredTo(property, noun) : plainValue(property, this.#draft)
    if (value !== undefined) this.#set(property, [value])
    else if (noun) return this.#name(property, noun)
    else if (!property.hasDefault) this.#missing.push(property)
    return undefined
  }

  #name (property: Property, noun: string): Plan | undefined {
    const { tool } = this.#draft
    const result = resolve(noun, this.#scope)
    if ('failed' in result) return { state: 'failed', tool, noun, failures: result.failed }
    if ('unknown' in result) return { state: 'unknown', tool, ...result.unknown }
    if ('lookups' in result) {
      this.#lookups.push(...result.lookups)
      return undefined
    }
    const { found } = result
    if (found.length > 1 && !tool.isRead) {
      const choices = found.map(({ id, name }) => id === name ? name : `${name} (${readable(String(id))})`)
      return { state: 'unclear', tool, noun, choices }
    }
    this.#names.push(...found.map(({ name }) => name))
    this.#scope.resolved.set(noun, found)
    this.#scope.clause = withoutNames(this.#scope.clause, found)
    this.#set(property, found.map(({ id }) => id))
    return undefined
  }

  #set ({ name }: Property, values: unknown[]) {
    this.#inputs = values.slice(0, fanOut)
      .flatMap((value) => this.#inputs.map((input) => ({ ...input, [name]: value })))
  }

  /** An optional filter is resolved only if remaining words may name it: "clusters in account prod". */
  #filter () {
    const { tool, input } = this.#draft
    const { tools } = this.#scope
    for (const property of tool.properties.filter(({ name, required }) => !required && input[name] === undefined)) {
      const noun = entityOf(property, tool, tools)
      if (!noun || tool.nouns.includes(noun) || wantedWords(this.#scope, noun).length === 0) continue
      const isNamed = wordsOf(this.#scope.clause).map(stem).includes(noun)
      if (!tool.isRead && !isNamed) continue
      const result = resolve(noun, this.#scope)
      if ('lookups' in result) this.#lookups.push(...result.lookups)
      if ('found' in result && result.found.length === 1) this.#name(property, noun)
    }
  }

  /** The item that "it" means: the argument's value in the last call that has it. */
  #referredTo (property: Property, noun: string) {
    const isPronoun = /\b(it|its|them|same|that one|this one)\b/i.test(this.#scope.clause)
    if (!isPronoun || wantedWords(this.#scope, noun).length > 0) return undefined
    return this.#scope.calls.findLast(({ input }) => input[property.name] !== undefined)?.input[property.name]
  }
}

// If no tool lists such items, the word itself is the value: the server knows names too.
function plainValue (property: Property, { tool, rest }: Draft): unknown {
  if (property.kind === 'object') return property.properties.some(({ required }) => required) ? undefined : {}
  const isReference = tool.nouns.includes(stem(property.words.at(-1) ?? ''))
  if (property.kind !== 'string' || !isReference || property.options.length > 0) return undefined
  return wantedWords({ tools: [tool], tool, clause: rest }, '')[0]
}

const order: Plan['state'][] = ['calls', 'missing', 'unclear', 'unknown', 'failed', 'lookups']

/** Of several tools that fit equally well, the assistant resolves all, and takes one that succeeds. */
function best (candidates: Plan[]): Plan {
  const lookups = candidates.flatMap((plan) => plan.state === 'lookups' ? plan.calls : [])
  if (lookups.length > 0) return { state: 'lookups', calls: lookups }
  const ready = candidates.flatMap((plan) => plan.state === 'calls' ? [plan] : [])
  const reads = ready.filter(({ calls }) => calls.every(({ tool }) => tool.isRead)).slice(0, sameReads)
  if (reads.length > 1) {
    return { state: 'calls', calls: reads.flatMap(({ calls }) => calls), subject: reads[0]?.subject ?? '' }
  }
  const sorted = candidates.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  // A clause without a tool is never planned, so there is always a candidate.
  return unknownEverywhere(sorted) ?? sorted[0] ?? { state: 'calls', calls: [], subject: '' }
}

/** Not an app, not a service, not a function: one answer for all searched lists. */
function unknownEverywhere (plans: Plan[]): Plan | undefined {
  const unknown = plans.flatMap((plan) => plan.state === 'unknown' ? [plan] : [])
  const [first] = unknown
  if (!first || unknown.length < 2 || unknown.length < plans.length) return undefined
  const nouns = [...new Set(unknown.map(({ noun }) => noun))]
  return { ...first, noun: nouns.join(' or '), choices: unknown.flatMap(({ choices }) => choices) }
}
