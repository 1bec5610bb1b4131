import type { SpecDocument, Story } from '../schemas/document.js'
import { citeRange } from './material.js'
import type { Sense } from '../classify/verdict.js'
import type { Unit } from './read-source.js'
import { Repeats, wordingOf } from './repeats.js'
import type { Build } from './template.js'
import { keyOf, numbersOf, shorten } from './words.js'

const texts = (units: Unit[], sense: Sense): string[] => {
  const seen = new Map<string, string>()
  for (const { text, sense: own } of units) {
    const key = own === sense ? keyOf(text) : ''
    if (key !== '' && !seen.has(key)) seen.set(key, shorten(text, 1_000))
  }
  return [...seen.values()]
}

const firstWords = (units: Unit[], sense: Sense): string => {
  const block = units.find((unit) => unit.sense === sense)?.block
  return block ? units.filter((unit) => unit.block === block).map(({ text }) => text).join(' ') : ''
}

export const collectSummary = ({ session, units }: Build) => ({
  summary: shorten(session.description || firstWords(units, 'summary') || firstWords(units, 'other'), 1_000),
  problem: shorten(units.filter(({ sense }) => sense === 'problem').map(({ text }) => text).join(' '), 4_000)
})

/** Splits "Customer: who collects a parcel" into a name and its definition. */
const named = (text: string): { name: string, definition: string } => {
  const cut = /(?<!\s)\s*(?::| [–—-]) /.exec(text)
  const name = cut ? text.slice(0, cut.index) : text
  return name.split(' ').length <= 6
    ? { name: shorten(name.replace(/[.]$/, ''), 120), definition: shorten(cut ? text.slice(cut.index + cut[0].length) : '', 500) }
    : { name: '', definition: '' }
}

const collectActors = (units: Unit[], stories: readonly Story[]): SpecDocument['actors'] => {
  const listed = units.filter(({ sense }) => sense === 'actor').map(({ text }) => named(text))
  const fromStories = stories.map(({ role }) => ({ name: role.replace(/^an? /i, ''), definition: '' }))
  const seen = new Map<string, SpecDocument['actors'][number]>()
  for (const { name, definition } of [...listed, ...fromStories]) {
    const key = keyOf(name)
    if (key !== '' && !seen.has(key)) seen.set(key, { name, description: definition })
  }
  return [...seen.values()]
}

const acronym = /((?:\p{Lu}[\p{L}-]{1,40} ){2,7})\((\p{Lu}{2,8})\)/gu

/** Finds acronyms with their expansion, such as "General Data Protection Regulation (GDPR)". */
const expansions = (units: Unit[]) => units.flatMap(({ text }) => [...text.matchAll(acronym)].flatMap((match) => {
  const words = (match[1] ?? '').trim().split(' ')
  const letters = match[2] ?? ''
  const own = words.slice(-letters.length)
  return own.map((word) => word.charAt(0)).join('') === letters ? [{ name: letters, definition: own.join(' ') }] : []
}))

const collectGlossary = (units: Unit[]): SpecDocument['glossary'] => {
  const terms = [...units.filter(({ sense }) => sense === 'term').map(({ text }) => named(text)), ...expansions(units)]
  const seen = new Map<string, SpecDocument['glossary'][number]>()
  for (const { name, definition } of terms) {
    if (definition !== '' && !seen.has(keyOf(name))) seen.set(keyOf(name), { term: name, definition, aliases: [] })
  }
  return [...seen.values()]
}

const measure = /(at least|at most|less than|more than|under|below|within|over|above|up to|≥|≤|<|>)?\s?(\d[\d.,]*)\s?(%|\p{L}+)?/iu

/** "From 3 days to 4 hours": what it is to become. */
const change = /\b(?:from|von|de) \D{0,20}\d[^.]{0,60}? (?:to|auf|à|a) (?=\D{0,12}\d)/i

const measured = (full: string) => {
  const moved = change.exec(full)
  const text = moved ? full.slice(moved.index + moved[0].length) : full
  const found = numbersOf(text).length > 0 ? measure.exec(text) : null
  const target = found ? `${found[1] ?? ''} ${(found[2] ?? '').replace(/[.,]$/, '')}`.trim() : ''
  return { target, unit: shorten(found?.[3] ?? '', 60) }
}

const aimed = /\b(?:targets?|goals?|aims?|objectives?|ziel(?:wert)?e?|soll|cibles?|objectifs?|objetivos?|metas?)\b/i

/** A sentence is a criterion, and so is a row of a table: what it measures, and the target in the column of targets. */
const criteriaOf = (units: readonly Unit[]): { units: Unit[], metric: string, target: string, unit: string }[] => {
  const rows = new Map<object, Unit[]>()
  for (const unit of units) {
    const key = unit.block.row ? unit.block : unit
    const row = rows.get(key)
    if (row) row.push(unit)
    else rows.set(key, [unit])
  }
  return [...rows.values()].map((row) => {
    const [first] = row
    const metric = row.filter(({ cell }) => cell?.column === first?.cell?.column).map(({ text }) => text).join(' ')
    const aims = row.filter(({ cell }) => aimed.test(cell?.column ?? ''))
    return { units: row, metric, ...measured((aims.length > 0 ? aims : row).map(({ text }) => text).join(' ')) }
  })
}

/** What says the same is one criterion, which cites each place. */
const collectSuccess = ({ units: all, ids, base }: Build): SpecDocument['success_criteria'] => {
  const known = new Map((base?.success_criteria ?? []).map((criterion) => [keyOf(criterion.metric), criterion.id]))
  const made = new Map<string, { criterion: SpecDocument['success_criteria'][number], repeats: Repeats }>()
  for (const { units, metric: words, target, unit } of criteriaOf(all.filter(({ sense }) => sense === 'success'))) {
    const metric = shorten(words, 300)
    const key = keyOf(metric)
    const { criterion, repeats } = made.get(key) ?? {
      criterion: { id: known.get(key) ?? ids.next('SC', 3), metric, target, unit, citations: [] },
      repeats: new Repeats()
    }
    made.set(key, { criterion, repeats })
    const [first] = units
    if (!first || !repeats.take(wordingOf(first))) continue
    criterion.citations.push(...units.flatMap(({ source, start, end }) => citeRange(source, start, end)))
  }
  return [...made.values()].map(({ criterion, repeats }) =>
    repeats.more > 0 ? { ...criterion, repeats: repeats.more } : criterion)
}

const collectAssumptions = ({ units, ids, base }: Build): SpecDocument['assumptions'] => {
  const known = new Map((base?.assumptions ?? []).map((assumption) => [keyOf(assumption.text), assumption.id]))
  return texts(units, 'assumption').map((text) => text.replace(/^(?:assumptions?|annahmen?): /i, '')).map((text) => ({
    id: known.get(keyOf(text)) ?? ids.next('A'),
    text,
    why: 'The inputs say that it is assumed',
    impact: 'medium',
    confirmed_by_input: null
  }))
}

/** Collects the sections from sentences of the inputs by their sense. */
export const collectSections = (build: Build, stories: readonly Story[]) => {
  const { units } = build
  return {
    goals: texts(units, 'goal').slice(0, 100),
    non_goals: texts(units, 'non_goal').slice(0, 200),
    actors: collectActors(units, stories),
    glossary: collectGlossary(units),
    edge_cases: texts(units, 'edge_case').slice(0, 500),
    success_criteria: collectSuccess(build),
    risks: texts(units, 'risk').slice(0, 200),
    assumptions: collectAssumptions(build)
  }
}
