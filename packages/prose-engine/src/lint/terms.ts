import type { BannedTerm } from '../schemas/brand-terms.js'
import { compileExpression } from './expressions.js'
import { formsOf, inflectLike, type FormKind } from './inflect.js'
import { findName } from './names.js'
import { findTerm, lower, type Range } from './ranges.js'
import { about, found, type Draft, type Finding, type Rule } from './rule.js'
import { WordIndex } from './word-index.js'

const maxOfOne = 100

const byExpression = (text: string, { term, case_sensitive: sensitive }: BannedTerm): Range[] => {
  const expression = compileExpression(term, sensitive)
  if (typeof expression === 'string') return []
  const ranges: Range[] = []
  const matcher = expression.matcher(text)
  while (ranges.length < maxOfOne && matcher.find()) ranges.push([matcher.start(), matcher.end()])
  return ranges
}

interface Found { range: Range, kinds: readonly FormKind[] }

/** Two views of the prose: as it is written, and in lower case. */
interface Views { text: string, lowered: string, exact: WordIndex, folded: WordIndex }

const kept = new WeakMap<Draft, Views>()

const viewsOf = (draft: Draft): Views => {
  const known = kept.get(draft)
  if (known) return known
  const { prose: { text } } = draft
  const lowered = lower(text)
  const views = { text, lowered, exact: new WordIndex(text), folded: new WordIndex(lowered) }
  kept.set(draft, views)
  return views
}

const languageOf = ({ locale }: Draft): string => locale.split('-')[0] ?? locale

/** @returns where a term stands in any of its forms, each place once */
const inForms = (draft: Draft, { exact, folded }: Views, term: string, isExact: boolean): Found[] => {
  const seen = new Set<number>()
  // A German noun is known by its capital, before the letters are folded.
  return formsOf(term, languageOf(draft)).flatMap(({ text, kinds }) =>
    (isExact ? exact.find(text) : folded.find(lower(text))).flatMap((range) => {
      if (seen.has(range[0])) return []
      seen.add(range[0])
      return [{ range, kinds }]
    }))
}

const asWritten = (range: Range): Found => ({ range, kinds: ['base'] })

const foundOf = (draft: Draft, views: Views, banned: BannedTerm): Found[] => {
  const { term, case_sensitive: sensitive, match } = banned
  const { text, lowered, exact, folded } = views
  if (match === 'regex') return byExpression(text, banned).map(asWritten)
  if (match === 'phrase') {
    return findTerm(sensitive ? text : lowered, sensitive ? term : lower(term),
      true).map(asWritten)
  }
  if (match === 'exact') return (sensitive ? exact.find(term) : folded.find(lower(term))).map(asWritten)
  return inForms(draft, views, term, sensitive)
}

/** @returns the options of a finding: the replacement in the form that stands there, where that is sure */
const replaced = (draft: Draft, replacement: string | undefined, kinds: readonly FormKind[]) => {
  if (replacement === undefined) return { use: undefined, options: {} }
  const use = inflectLike(replacement, kinds, languageOf(draft))
  return { use, options: { suggestions: [use ?? replacement], fixable: use !== undefined } }
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
  const views = viewsOf(draft)
  return draft.brand.terms.banned.filter(({ channels }) => applies(channels, draft)).flatMap((one) => {
    const why = one.reason ? `: ${one.reason}` : ''
    return foundOf(draft, views, one).flatMap(({ range, kinds }): Finding[] => {
      const { use, options } = replaced(draft, one.replacement, kinds)
      if (use && isReplaced(views.lowered, lower(use))(range)) return []
      return [found(draft, 'CNT-BRD-BANNED', one.severity, ...range, `The brand does not say this${why}`, options)]
    })
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
  const views = viewsOf(draft)
  return draft.brand.terms.preferred.flatMap(({ use, instead_of: others, case_sensitive: sensitive }) =>
    others.flatMap((other) => {
      const isSame = lower(use) === lower(other)
      const all = isSame ? views.exact.find(other).map(asWritten) : inForms(draft, views, other, sensitive)
      return all.flatMap(({ range, kinds }): Finding[] => {
        const { use: form = use, options } = replaced(draft, use, kinds)
        if (!isSame && isReplaced(views.lowered, lower(form))(range)) return []
        return [found(draft, 'CNT-BRD-PREFERRED', 'warn', ...range, `The brand says "${use}"`, options)]
      })
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
  const views = viewsOf(draft)
  const notThere = (draft.brief?.must_include ?? [])
    .filter((text) => !isIncluded(draft, text))
    .map((text) => about('CNT-BRD-MUST-INCLUDE', 'warn', 'body_markdown', `The brief asks for "${text}"`))
  return [...notThere, ...(draft.brief?.must_avoid ?? []).flatMap((text) =>
    inForms(draft, views, text, false).map(({ range }) =>
      found(draft, 'CNT-BRD-MUST-AVOID', 'error', ...range, 'The brief rules this out')))]
}

export const termRules: Rule[] = [banned, required, preferred, casing, avoided]
