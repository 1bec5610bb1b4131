import type { Criterion } from '../schemas/document.js'
import { citeRange } from './material.js'
import type { Unit } from './read-source.js'
import type { Draft, StoryDraft } from './template-requirements.js'
import { contentWords, shorten } from './words.js'

export interface Scenario { units: Unit[], unit: Unit, criterion: Omit<Criterion, 'id'> }

type Part = 'given' | 'when' | 'then'

const words: Record<Part, RegExp> = {
  given: /^(?:given|angenommen|gegeben (?:sei(?:en)?|ist|sind)|soit|étant donn[ée]e?s?(?: que?)?|dad[oa]s?)(?!\p{L})/iu,
  when: /^(?:when|wenn|quand|lorsque|cuando)(?!\p{L})/iu,
  then: /^(?:then|dann|alors|entonces)(?!\p{L})/iu
}
const more = /^(?:and|but|und|aber|et|mais|y|pero)(?!\p{L})/iu

const partOf = (text: string): Part | undefined =>
  (['given', 'when', 'then'] as const).find((part) => words[part].test(text))

const strip = (text: string): string => {
  const part = partOf(text)
  return text.replace(part ? words[part] : more, '').replace(/^[:,]?\s*/, '').replace(/[.,;]$/, '')
}

/** Parses "Given A, when B, then C" in one sentence. */
const inOne = (text: string): Omit<Criterion, 'id'> | undefined => {
  const when = text.search(/,? when\b/i)
  const then = text.search(/,? then\b/i)
  if (then <= 0 || (when > 0 && then < when)) return undefined
  const given = when > 0 && /^given\b/i.test(text) ? text.slice(0, when) : ''
  const from = when > 0 ? when : 0
  const clean = (part: string) => shorten(strip(part.replace(/^,?\s*/, '')), 500)
  return { given: clean(given), when: clean(text.slice(from, then)), then: clean(text.slice(then)) }
}

const background = /^(?:background|grundlage|hintergrund|contexte|antecedentes)[ \t]*:/i

/** A scenario outline: each row of its examples makes a scenario. */
class Outline {
  #isFilled = false

  constructor (readonly scenario: Scenario) {}

  /** @returns the scenarios without the outline itself once a row has filled it in */
  fill (scenarios: Scenario[], row: readonly Unit[]): Scenario[] {
    const values = new Map(row.map(({ cell, text }) => [cell?.column ?? '', text]))
    const filled = (text: string) => text.replace(/<([^<>]{1,60})>/g, (all, name: string) => values.get(name) ?? all)
    const { given, when, then } = this.scenario.criterion
    const criterion = { given: filled(given), when: filled(when), then: filled(then) }
    const kept = this.#isFilled ? scenarios : scenarios.filter((one) => one !== this.scenario)
    this.#isFilled = true
    return [...kept, { ...this.scenario, units: [...this.scenario.units, ...row], criterion }]
  }
}

class Reader {
  scenarios: Scenario[] = []
  #outline: Outline | undefined
  #row: Unit[] = []
  #background: string[] | undefined
  #isBackground = false
  #parts: Record<Part, string[]> = { given: [], when: [], then: [] }
  #last: Part | undefined
  #unit: Unit | undefined
  #units: Unit[] = []

  read (unit: Unit): void {
    if (unit.block !== this.#row[0]?.block) this.#fill()
    if (unit.sense !== 'step') {
      this.close()
      return this.#follow(unit)
    }
    this.#outline = undefined
    const one = inOne(unit.text)
    const part = partOf(unit.text) ?? this.#last
    if (one && this.#last === undefined) {
      this.scenarios.push({ units: [unit], unit, criterion: one })
      return
    }
    if (!part) return
    // A "given" or "when" after a "then" begins a new scenario.
    if (this.#parts.then.length > 0 && partOf(unit.text) !== undefined && part !== 'then') this.close()
    this.#unit ??= unit
    this.#units.push(unit)
    this.#parts[part].push(strip(unit.text))
    this.#last = part
  }

  /** What stands between steps: titles, and the examples of an outline. */
  #follow (unit: Unit): void {
    if (unit.block.kind === 'metadata') this.#isBackground = background.test(unit.text)
    else if (unit.block.kind === 'heading') this.#background = undefined
    else if (unit.block.row?.header && this.#outline) this.#row.push(unit)
  }

  #fill (): void {
    if (this.#row.length > 0 && this.#outline) this.scenarios = this.#outline.fill(this.scenarios, this.#row)
    this.#row = []
  }

  close (): void {
    const { given, when, then } = this.#parts
    const join = (parts: string[]) => shorten(parts.join(' and '), 500)
    if (this.#unit && then.length > 0) {
      const criterion = { given: join([...this.#background ?? [], ...given]), when: join(when), then: join(then) }
      const scenario = { units: this.#units, unit: this.#unit, criterion }
      this.scenarios.push(scenario)
      this.#outline = /<[^<>]+>/.test(`${given.join()} ${when.join()} ${then.join()}`) ? new Outline(scenario) : undefined
    } else if (this.#isBackground && given.length > 0) this.#background = given
    this.#parts = { given: [], when: [], then: [] }
    this.#last = undefined
    this.#unit = undefined
    this.#units = []
  }

  end (): void {
    this.#fill()
    this.close()
  }
}

/** @returns the Given/When/Then of the inputs, in order */
export const scenariosOf = (units: Unit[]): Scenario[] => {
  const reader = new Reader()
  for (const unit of units) reader.read(unit)
  reader.end()
  return reader.scenarios
}

type Target = Draft | StoryDraft

/** Maps "extends" and "extend", "codes" and "code" to one stem. */
const stem = (word: string): string => word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, '') : word

const stems = (text: string): Set<string> => new Set([...contentWords(text)].map(stem))

/** Indexes targets by word stem; a very common word lists only the first 50. */
const indexOf = (targets: Target[]): Map<string, Target[]> => {
  const index = new Map<string, Target[]>()
  for (const target of targets) {
    for (const word of stems(target.unit.text)) {
      const held = index.get(word) ?? []
      if (held.length < 50) held.push(target)
      index.set(word, held)
    }
  }
  return index
}

/** @returns the last target above the scenario in its section, or the one that shares the rarest words with it */
const findTarget = ({ unit, criterion }: Scenario, above: Target | undefined, index: Map<string, Target[]>) => {
  const isNear = above && above.unit.source === unit.source && above.unit.headings.join('/') === unit.headings.join('/')
  if (isNear) return above
  const common = new Map<Target, { count: number, score: number }>()
  const { given, when, then } = criterion
  for (const word of stems(`${given} ${when} ${then} ${unit.headings.at(-1) ?? ''}`)) {
    const holders = index.get(word) ?? []
    for (const target of holders) {
      const { count, score } = common.get(target) ?? { count: 0, score: 0 }
      // Rare words weigh more.
      common.set(target, { count: count + 1, score: score + 1 / holders.length })
    }
  }
  let best: { target: Target, score: number } | undefined
  for (const [target, { count, score }] of common) {
    if (count >= 2 && score > (best?.score ?? 0)) best = { target, score }
  }
  return best?.target
}

const compare = (one: Unit, other: Unit) => one.source.seq - other.source.seq || one.start - other.start

/**
 * Adds each scenario to the requirement or story that it is about, in linear time.
 * @returns the scenarios that match none
 */
export const attachSteps = (scenarios: Scenario[], drafts: Draft[], stories: StoryDraft[]): Scenario[] => {
  const targets: Target[] = [...drafts].sort((one, other) => compare(one.unit, other.unit))
  const byUnit = new Map(stories.map((story) => [story.unit, story] as const))
  const index = indexOf(targets)
  let at = 0
  return scenarios.filter((scenario) => {
    const isAbove = ({ unit }: Target) => compare(unit, scenario.unit) < 0
    for (let next = targets[at]; next && isAbove(next); next = targets[at]) at++
    const target = findTarget(scenario, targets[at - 1], index)
    target?.criteria.push(scenario.criterion)
    target?.citations.push(...scenario.units.flatMap(({ source, start, end }) => citeRange(source, start, end)))
    // A story's sentence is also a requirement: both get the criterion.
    if (target) byUnit.get(target.unit)?.criteria.push(scenario.criterion)
    return target === undefined
  })
}
