import { requirementPrefixes, type Requirement, type SpecDocument } from '../schemas/document.js'
import { uncoveredOf, uncoveredUnits } from '../engine/coverage.js'
import { Ids } from '../engine/identify.js'
import { materialOf, type Source } from '../engine/material.js'
import type { GenerationTask } from '../engine/task.js'
import { readSource, type Unit } from '../engine/read-source.js'
import { compileTemplate } from '../engine/template.js'

/** More than a spec may have, so that the engine without a model makes a requirement of every demand. */
const noLimit = 100_000
const notice = 'The model passed over demands of the inputs: the requirements that are marked as filled in were ' +
  'taken from the sentences as they stand, without the model.'

const keyOf = (inputId: string, start: number): string => `${inputId} ${start}`

/** A person who waives PSE305 for the document, or at all, wants no requirement of what is not covered. */
const isExcluded = (inputs: readonly Source[], now: Date): boolean => inputs.some(({ kind, superseded, about }) =>
  kind === 'waiver' && !superseded && about?.rule_id === 'PSE305' && [undefined, 'document'].includes(about.target) &&
  (!about.expires_at || new Date(about.expires_at) > now))

const compiled = (task: GenerationTask): Requirement[] => {
  const settings = { ...task.session.settings, max_requirements: noLimit }
  return compileTemplate({ ...task, session: { ...task.session, settings } }).requirements
    .filter(({ status }) => status === 'active')
}

/** What the spec cites or has retired; requirements of the version before stay in the next one. */
const citing = ({ base }: GenerationTask, { requirements, stories, success_criteria: success }: SpecDocument) =>
  [...requirements, ...base?.requirements ?? [], ...stories, ...base?.stories ?? [], ...success]

/** Fills a document with the demands that its model passed over. */
class Filler {
  readonly #lost: ReadonlySet<string>
  readonly #demands: ReadonlySet<string>
  readonly #ids: Ids
  readonly requirements: Requirement[]
  /** How many more requirements the spec may have; below 0 where some were left out. */
  #room: number

  constructor (private readonly task: GenerationTask, document: SpecDocument, units: readonly Unit[]) {
    const lost = uncoveredUnits(units, citing(task, document), ['normative', 'story'])
    this.#lost = new Set(lost.map(({ source, start }) => keyOf(source.input_id, start)))
    this.#demands = new Set(units.filter(({ sense }) => sense === 'normative' || sense === 'story')
      .map(({ source, start }) => keyOf(source.input_id, start)))
    this.#ids = new Ids(document)
    this.requirements = [...document.requirements]
    const active = document.requirements.filter(({ status }) => status === 'active').length
    this.#room = task.session.settings.max_requirements - active
  }

  get isFull (): boolean { return this.#room < 0 }

  get counters (): SpecDocument['counters'] { return this.#ids.counters }

  #add (made: Requirement): void {
    if (this.#room-- <= 0) return
    const id = this.#ids.next(requirementPrefixes[made.kind], 3)
    const acceptance = made.acceptance.map((one, at) => ({ ...one, id: `${id}.AC${at + 1}` }))
    this.requirements.push({
      ...made, id, acceptance, story_ids: [], since_version: this.task.version ?? 1, filled_in: true
    })
  }

  /** A demand that stands twice in the inputs, and that the model cites once: its requirement stands on both. */
  #extend (made: Requirement, cited: ReadonlySet<string>): boolean {
    const ranges = made.citations.filter(({ input_id: id, char_start: start }) => cited.has(keyOf(id, start)))
    const at = this.requirements.findIndex(({ status, citations }) => status === 'active' && ranges.some((range) =>
      citations.some(({ input_id: id, char_start: start, char_end: end }) =>
        id === range.input_id && start < range.char_end && end > range.char_start)))
    const found = this.requirements[at]
    if (!found) return false
    const more = made.citations.filter(({ input_id: id, char_start: start }) => this.#lost.has(keyOf(id, start)))
    const { repeats = found.repeats } = made
    this.requirements[at] = {
      ...found, citations: [...found.citations, ...more], ...(repeats !== undefined && { repeats })
    }
    return true
  }

  take (made: Requirement): void {
    const own = made.citations.map(({ input_id: id, char_start: start }) => keyOf(id, start))
      .filter((key) => this.#demands.has(key))
    const cited = new Set(own.filter((key) => !this.#lost.has(key)))
    const isCited = cited.size === own.length
    if (isCited && made.repeats === undefined) return
    if (cited.size > 0 && this.#extend(made, cited)) return
    if (!isCited) this.#add(made)
  }
}

/**
 * Takes the demands that the model passed over from the engine without a model, and marks them. What a person has
 * retired or waived stays out; what exceeds max_requirements stays uncovered, with the reason.
 */
export const fillIn = (task: GenerationTask, document: SpecDocument, now: Date): SpecDocument => {
  if (task.mode !== 'full' || isExcluded(task.inputs, now)) return document
  const units = materialOf(task.inputs).flatMap((source) => readSource(source, task.session.settings.locale))
  const filler = new Filler(task, document, units)
  for (const made of compiled(task)) filler.take(made)
  const { requirements, counters } = filler
  const cites = [...requirements.filter(({ status }) => status === 'active'), ...document.stories,
    ...document.success_criteria]
  return {
    ...document,
    engine: filler.requirements.some(({ filled_in: filled }) => filled)
      ? { ...document.engine, notice }
      : document.engine,
    requirements,
    uncovered: uncoveredOf(units, cites, filler.isFull ? uncoveredUnits(units, cites) : []),
    counters
  }
}
