import { contentWords, keyOf, numberIn, numbersOf, overlap, shorten, wordsAt } from '../engine/words.js'
import { sentenceLanguage } from '../engine/language.js'
import { demandsIn } from '../engine/words-that-demand.js'
import type { CheckView, Found, Rule } from './view.js'

const minOverlap = 0.75
/** A word in this many statements with the same numbers does not help to find similar ones. */
const maxHolders = 50
const maxBlocking = 3

type Words = ReadonlySet<string>

/**
 * Two sets that overlap by 75 % share a word among the rarest quarter of each: comparing only statements that share
 * one keeps the time linear.
 */
const nearDuplicates = ({ active }: CheckView): Found[] => {
  const sets = active.map(({ statement }) => contentWords(statement))
  const frequency = new Map<string, number>()
  for (const word of sets.flatMap((set) => [...set])) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const rarest = (set: Words) => [...set]
    .sort((one, other) => (frequency.get(one) ?? 0) - (frequency.get(other) ?? 0) || (one < other ? -1 : 1))
    .slice(0, set.size - Math.ceil(minOverlap * set.size) + 1)
  const holders = new Map<string, number[]>()
  return active.flatMap(({ id, statement }, at) => {
    const own: Words = sets[at] ?? new Set()
    // The same words with other numbers contradict each other; PSE402 finds those.
    const numbers = numbersOf(statement).join()
    let duplicate: string | undefined
    for (const word of rarest(own)) {
      const key = `${word} ${numbers}`
      const held = holders.get(key) ?? []
      const found = held.find((other) => overlap(own, sets[other] ?? new Set()) >= minOverlap)
      duplicate ??= found === undefined ? undefined : active[found]?.id
      if (held.length < maxHolders) held.push(at)
      holders.set(key, held)
    }
    return duplicate === undefined ? [] : [{ target: id, message: `Nearly the same as ${duplicate}` }]
  })
}

/** "Door 7 must open": a number in front of the word that demands is a part of a name. */
const divide = (statement: string): [string, string] => {
  const at = demandsIn(statement, sentenceLanguage(statement, 'en'))[0]?.start ?? 0
  return [statement.slice(0, at), statement.slice(at)]
}

/** @returns the content words of a statement without the numbers that it demands, as a key */
const matterOf = (statement: string): string => {
  const [name, demand] = divide(statement)
  const words = [...contentWords(demand)].filter((word) => numberIn(word) === undefined)
  return [...[...contentWords(name)].sort(), '|', ...words.sort()].join(' ')
}

const otherNumbers = ({ active }: CheckView): Found[] => {
  const seen = new Map<string, { id: string, numbers: string, statement: string }>()
  return active.flatMap(({ id, statement }) => {
    const numbers = numbersOf(divide(statement)[1]).join(', ')
    if (numbers === '') return []
    const matter = matterOf(statement)
    const first = seen.get(matter)
    if (!first) seen.set(matter, { id, numbers, statement })
    return !first || first.numbers === numbers
      ? []
      : [{
          target: id,
          message: `${first.id} says ${first.numbers} of the same thing, this one ${numbers}`,
          quote: shorten(first.statement, 300)
        }]
  })
}

interface Alias { words: string[], alias: string, term: string }

/** Aliases by their first word. */
export const aliasesOf = (glossary: CheckView['glossary']): Map<string, Alias[]> => {
  const found = new Map<string, Alias[]>()
  for (const { term, aliases } of glossary) {
    for (const alias of aliases) {
      const words = keyOf(alias).split(' ')
      const first = words[0] ?? ''
      if (first === '' || keyOf(alias) === keyOf(term)) continue
      found.set(first, [...found.get(first) ?? [], { words, alias, term }])
    }
  }
  return found
}

/** @returns where a text uses an alias instead of the glossary's term */
export const driftsIn = (text: string, aliases: ReadonlyMap<string, Alias[]>) => {
  if (aliases.size === 0) return []
  const words = wordsAt(text)
  return words.flatMap(({ word, start }, at) => {
    const used = (aliases.get(word) ?? []).find((alias) =>
      alias.words.every((part, by) => words[at + by]?.word === part))
    return used ? [{ term: used.term, start, end: words[at + used.words.length - 1]?.end ?? start }] : []
  })
}

/** Finds terms of the spec's own glossary that are aliases in an attached glossary. */
const otherTerms = ({ document, standardTerms }: CheckView): Found[] => {
  const aliases = aliasesOf(standardTerms)
  return document.glossary.flatMap(({ term: own }) => driftsIn(own, aliases).slice(0, 1).map(({ term }) =>
    ({ target: 'sections.glossary', message: `The glossary calls this ${term}`, quote: own })))
}

const termDrift = (view: CheckView): Found[] => {
  const aliases = aliasesOf(view.glossary)
  return [...otherTerms(view), ...view.active.flatMap(({ id, statement }) =>
    driftsIn(statement, aliases).map(({ term, start, end }) => ({
      target: id,
      message: `The glossary calls this ${term}`,
      quote: statement.slice(start, end),
      span: { start, end }
    })))]
}

const dangling = ({ document, active }: CheckView): Found[] => {
  const ids = (items: readonly { id: string }[]) => new Set(items.map(({ id }) => id))
  const [stories, requirements, assumptions, tasks] =
    [ids(document.stories), ids(document.requirements), ids(document.assumptions), ids(document.tasks)]
  const missing = (target: string, known: Set<string>, refs: readonly string[]) => refs.filter((id) => !known.has(id))
    .map((id) => ({ target, message: `There is no ${id}`, quote: id }))
  return [
    ...active.flatMap((one) => [
      ...missing(one.id, stories, one.story_ids),
      ...missing(one.id, requirements, one.depends_on),
      ...missing(one.id, assumptions, one.assumption_ids)
    ]),
    ...document.tasks.flatMap((task) => [
      ...missing(task.id, requirements, task.requirement_ids),
      ...missing(task.id, stories, task.story_id === null ? [] : [task.story_id]),
      ...missing(task.id, tasks, task.depends_on)
    ])
  ]
}

interface Node { id: string, depends_on: readonly string[] }

/** @returns a path for every cycle that a walk finds, with its first id repeated at the end; linear, no recursion */
const cyclesOf = (items: readonly Node[]): string[][] => {
  const nodes = new Map(items.map((item) => [item.id, item]))
  const state = new Map<string, 'open' | 'done'>()
  const cycles: string[][] = []
  const walk = (start: string): void => {
    const path: { id: string, next: number }[] = [{ id: start, next: 0 }]
    state.set(start, 'open')
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const to = nodes.get(top.id)?.depends_on[top.next++]
      if (to === undefined) {
        state.set(top.id, 'done')
        path.pop()
      } else if (state.get(to) === 'open') {
        cycles.push([...path.slice(path.findIndex(({ id }) => id === to)).map(({ id }) => id), to])
      } else if (nodes.has(to) && !state.has(to)) {
        state.set(to, 'open')
        path.push({ id: to, next: 0 })
      }
    }
  }
  for (const { id } of items) if (!state.has(id)) walk(id)
  return cycles
}

const cycles = ({ document, active }: CheckView): Found[] => [...cyclesOf(active), ...cyclesOf(document.tasks)]
  .map((path) => ({ target: path[0] ?? 'document', message: `They depend on each other: ${path.join(' → ')}` }))

const lost = ({ document, base }: CheckView): Found[] => {
  const known = new Set(document.requirements.map(({ id }) => id))
  return (base?.requirements ?? []).filter(({ id }) => !known.has(id))
    .map(({ id, statement }) =>
      ({ target: id, message: 'The version before had it; it was not retired', quote: shorten(statement, 300) }))
}

const blocked = ({ document }: CheckView): Found[] => {
  const open = document.open_questions.filter(({ status, blocking }) => status === 'open' && blocking).length
  return open > maxBlocking
    ? [{ target: 'sections.open_questions', message: `${open} blocking questions are open: talk it through first` }]
    : []
}

export const consistencyRules: Rule[] = [
  { id: 'PSE401', severity: 'warn', fix: 'model', find: nearDuplicates },
  { id: 'PSE402', severity: 'error', fix: 'human', find: otherNumbers },
  { id: 'PSE403', severity: 'warn', fix: 'deterministic', find: termDrift },
  { id: 'PSE404', severity: 'error', fix: 'deterministic', find: dangling },
  { id: 'PSE405', severity: 'error', fix: 'human', find: cycles },
  { id: 'PSE406', severity: 'error', fix: 'deterministic', find: lost },
  { id: 'PSE407', severity: 'info', fix: 'human', find: blocked }
]
