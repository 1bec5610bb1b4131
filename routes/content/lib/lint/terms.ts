import type { BannedTerm } from '../../../../schemas/content/brand-terms.js'
import { compileExpression } from '../expressions.js'
import { findName } from './names.js'
import { findTerm, lower, type Range } from './ranges.js'
import { about, found, type Draft, type Finding, type Rule } from './rule.js'

const maxOfOne = 100

const byExpression = (text: string, { term, case_sensitive: sensitive }: BannedTerm): Range[] => {
  const expression = compileExpression(term, sensitive)
  if (typeof expression === 'string') return []
  const ranges: Range[] = []
  const matcher = expression.matcher(text)
  while (ranges.length < maxOfOne && matcher.find()) ranges.push([matcher.start(), matcher.end()])
  return ranges
}

const rangesOf = (text: string, lowered: string, banned: BannedTerm): Range[] => {
  if (banned.match === 'regex') return byExpression(text, banned)
  const { term, case_sensitive: sensitive } = banned
  return findTerm(sensitive ? text : lowered, sensitive ? term : lower(term), banned.match === 'phrase')
}

const applies = (channels: string[] | undefined, draft: Draft) =>
  channels === undefined || channels.length === 0 || channels.includes(draft.channel)

/** @returns whether the replacement already stands around a range, as "sign in to" around "sign in" */
const isReplaced = (text: string, use: string) => ([start, end]: Range): boolean => {
  const term = text.slice(start, end)
  for (let at = use.indexOf(term); at >= 0; at = use.indexOf(term, at + 1)) {
    if (start >= at && text.startsWith(use, start - at)) return true
  }
  return false
}

const banned: Rule = (draft) => {
  const { prose: { text }, brand: { terms } } = draft
  const lowered = lower(text)
  return terms.banned.filter(({ channels }) => applies(channels, draft)).flatMap((one) => {
    const why = one.reason ? `: ${one.reason}` : ''
    const options = one.replacement === undefined ? {} : { suggestions: [one.replacement], fixable: true }
    const isDone = one.replacement ? isReplaced(lowered, lower(one.replacement)) : () => false
    return rangesOf(text, lowered, one).filter((range) => !isDone(range)).map(([start, end]) =>
      found(draft, 'CNT-BRD-BANNED', one.severity, start, end, `The brand does not say this${why}`, options))
  })
}

const required: Rule = (draft) => draft.brand.terms.required
  .filter(({ channels }) => applies(channels, draft)).flatMap(({ term, where, min }): Finding[] => {
    const fits = (field: string) =>
      where === 'any' || (where === 'title' ? field === 'title' : field === 'body_markdown' || /posts/.test(field))
    const texts = draft.all.filter(({ field }) => fits(field))
    const count = texts.reduce((sum, { text }) => sum + countTerm(draft, text, term), 0)
    const field = where === 'title' ? 'title' : 'body_markdown'
    const message = `"${term}" must stand here ${min === 1 ? 'once' : `${min} times`}; it does ${count} times`
    return count >= min ? [] : [about('CNT-BRD-REQUIRED', 'error', field, message)]
  })

/** Terms that differ only in their capitals are compared with case. */
const preferred: Rule = (draft) => {
  const { text } = draft.prose
  const lowered = lower(text)
  return draft.brand.terms.preferred.flatMap(({ use, instead_of: others }) => others.flatMap((other) => {
    const exact = lower(use) === lower(other)
    const isDone = exact ? () => false : isReplaced(lowered, lower(use))
    return (exact ? findTerm(text, other) : findTerm(lowered, lower(other))).filter((range) => !isDone(range))
      .map(([start, end]) => found(draft, 'CNT-BRD-PREFERRED', 'warn', start, end, `The brand says "${use}"`,
        { suggestions: [use], fixable: true }))
  }))
}

const minMixed = 4

/** @returns whether a word is written as no ordinary word is: neither lower case, nor capitalised, nor in capitals */
const isMixed = (word: string): boolean => word.length >= minMixed && /\p{Ll}/u.test(word) && /.\p{Lu}/u.test(word)

/**
 * Finds misspelled names such as "GItHub". "Github" and "go" are not found: they may be ordinary words, which no list
 * can distinguish from the names. A preferred term covers such a case.
 */
const casing: Rule = (draft) => {
  const { text } = draft.prose
  const lowered = lower(text)
  return draft.brand.terms.protected.flatMap((term) => findTerm(lowered, lower(term))
    .filter(([start, end]) => {
      const words = term.split(/\s+/)
      return text.slice(start, end).split(/\s+/).some((word, index) => word !== words[index] && isMixed(word))
    })
    .map(([start, end]) => found(draft, 'CNT-BRD-CASING', 'warn', start, end, `It is written "${term}"`,
      { suggestions: [term], fixable: true })))
}

/** @returns how often a term stands in a text; a protected one only as it is written */
const countTerm = ({ brand: { terms } }: Draft, text: string, term: string): number =>
  terms.protected.includes(term) ? findName(text, term).length : findTerm(lower(text), lower(term)).length

const isIncluded = (draft: Draft, text: string): boolean => draft.all.some((passage) =>
  draft.brand.terms.protected.includes(text)
    ? findName(passage.text, text).length > 0
    : lower(passage.text).includes(lower(text)))

const avoided: Rule = (draft) => {
  const lowered = lower(draft.prose.text)
  const notThere = (draft.brief?.must_include ?? [])
    .filter((text) => !isIncluded(draft, text))
    .map((text) => about('CNT-BRD-MUST-INCLUDE', 'warn', 'body_markdown', `The brief asks for "${text}"`))
  return [...notThere, ...(draft.brief?.must_avoid ?? []).flatMap((text) => findTerm(lowered, lower(text))
    .map(([start, end]) => found(draft, 'CNT-BRD-MUST-AVOID', 'error', start, end, 'The brief rules this out')))]
}

export const termRules: Rule[] = [banned, required, preferred, casing, avoided]
