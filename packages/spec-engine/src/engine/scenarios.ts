import type { Criterion } from '../schemas/document.js'
import type { Unit } from './triage.js'

/** Given, when, then as the source has them. */
export interface Scenario { units: Unit[], criterion: Omit<Criterion, 'id'> }

type Part = 'given' | 'when' | 'then'
const words: Record<Part, RegExp> = {
  given: /^(?:given|angenommen|gegeben (?:sei(?:en)?|ist|sind)|soit|étant donn[ée]e?s?(?: que?)?|dad[oa]s?)(?!\p{L})/iu,
  when: /^(?:when|wenn|quand|lorsque|cuando)(?!\p{L})/iu,
  then: /^(?:then|dann|alors|entonces)(?!\p{L})/iu
}
const more = /^(?:and|but|und|aber|et|mais|y|pero)(?!\p{L})/iu
const named = /^\W*(?:scenario(?: outline| template)?|szenario|scénario|escenario|example|background|hintergrund|contexte|antecedentes)[^:]{0,20}:\s*(.*?)\W*$/iu
const background = /^\W*(?:background|grundlage|hintergrund|contexte|antecedentes)\s*:/iu

const partOf = (text: string): Part | undefined =>
  (['given', 'when', 'then'] as const).find((part) => words[part].test(text))

const strip = (text: string, part: Part | undefined): string =>
  text.replace(part ? words[part] : more, '').replace(/^[:,]?\s*/, '')

/** "Given A, when B, then C" in one sentence. */
export const inOne = (text: string): Record<Part, string> | undefined => {
  const when = text.search(/,? when\b/i)
  const then = text.search(/,? then\b/i)
  if (then <= 0 || !/^(?:given|when)\b/i.test(text)) return undefined
  const isGiven = /^given\b/i.test(text) && when > 0
  const clean = (part: string, of: Part) => strip(part.replace(/^,?\s*/, ''), of).replace(/[.,;]$/, '')
  return {
    given: isGiven ? clean(text.slice(0, when), 'given') : '',
    when: clean(text.slice(isGiven ? when : 0, then), 'when'),
    then: clean(text.slice(then), 'then')
  }
}

class Gatherer {
  readonly scenarios: Scenario[] = []
  #parts: Record<Part, string[]> = { given: [], when: [], then: [] }
  #units: Unit[] = []
  #last: Part | undefined
  #name = ''
  #shared: string[] = []
  #isBackground = false

  read (unit: Unit): void {
    if (unit.fate === 'step') return this.#step(unit)
    this.#close()
    if (unit.block.kind === 'heading') this.#shared = []
    const title = unit.fate === 'mark' ? named.exec(unit.text) : null
    this.#isBackground = title !== null && background.test(unit.text)
    this.#name = title?.[1] ?? ''
  }

  #step (unit: Unit): void {
    const whole = this.#last === undefined ? inOne(unit.text) : undefined
    if (whole) {
      this.scenarios.push({ units: [unit], criterion: whole })
      return
    }
    const own = partOf(unit.text)
    const part = own ?? this.#last
    if (!part) return
    // A "given" or "when" after a "then" begins a new scenario.
    if (this.#parts.then.length > 0 && own !== undefined && own !== 'then') this.#close()
    this.#units.push(unit)
    this.#parts[part].push(strip(unit.text, own))
    this.#last = part
  }

  #close (): void {
    const { given, when, then } = this.#parts
    const join = (parts: readonly string[]) => parts.join(' and ')
    if (this.#isBackground && then.length === 0) this.#shared = given
    else if (then.length > 0) {
      const criterion = { given: join([...this.#shared, ...given]), when: join(when), then: join(then) }
      this.scenarios.push({ units: this.#units, criterion: { ...criterion, ...(this.#name && { name: this.#name }) } })
    }
    this.#parts = { given: [], when: [], then: [] }
    this.#units = []
    this.#last = undefined
  }

  end (): Scenario[] {
    this.#close()
    return this.scenarios
  }
}

/** @returns the scenarios of the inputs, in order; steps without a "then" make none */
export const scenariosOf = (units: readonly Unit[]): Scenario[] => {
  const gatherer = new Gatherer()
  for (const unit of units) gatherer.read(unit)
  return gatherer.end()
}
