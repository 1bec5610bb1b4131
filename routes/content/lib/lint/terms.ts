import type { BannedTerm } from '../../../../schemas/content/brand-terms.js'
import { compileExpression } from '../expressions.js'
import { about, findTerm, found, lower, type Draft, type Finding, type Rule } from './rule.js'

const maxOfOne = 100

const byExpression = (text: string, { term, case_sensitive: sensitive }: BannedTerm): [number, number][] => {
  const expression = compileExpression(term, sensitive)
  if (typeof expression === 'string') return []
  const ranges: [number, number][] = []
  const matcher = expression.matcher(text)
  while (ranges.length < maxOfOne && matcher.find()) ranges.push([matcher.start(), matcher.end()])
  return ranges
}

const rangesOf = (text: string, lowered: string, banned: BannedTerm): [number, number][] => {
  if (banned.match === 'regex') return byExpression(text, banned)
  const { term, case_sensitive: sensitive } = banned
  return findTerm(sensitive ? text : lowered, sensitive ? term : lower(term), banned.match === 'phrase')
}

const applies = (channels: string[] | undefined, draft: Draft) =>
  channels === undefined || channels.length === 0 || channels.includes(draft.channel)

/** Ranges of names that are written exactly so and are never flagged. */
const protectedRanges = ({ prose: { text }, brand: { terms } }: Draft): [number, number][] =>
  terms.protected.flatMap((term) => findTerm(text, term))

const banned: Rule = (draft) => {
  const { prose: { text }, brand: { terms } } = draft
  const lowered = lower(text)
  const safe = protectedRanges(draft)
  const isSafe = (start: number, end: number) => safe.some(([from, to]) => start >= from && end <= to)
  return terms.banned.filter(({ channels }) => applies(channels, draft)).flatMap((one) =>
    rangesOf(text, lowered, one).filter(([start, end]) => !isSafe(start, end)).map(([start, end]) => {
      const why = one.reason ? `: ${one.reason}` : ''
      const options = one.replacement === undefined ? {} : { suggestions: [one.replacement], fixable: true }
      return found(draft, 'CNT-BRD-BANNED', one.severity, start, end, `The brand does not say this${why}`, options)
    }))
}

const required: Rule = (draft) => draft.brand.terms.required
  .filter(({ channels }) => applies(channels, draft)).flatMap(({ term, where, min }): Finding[] => {
    const fits = (field: string) =>
      where === 'any' || (where === 'title' ? field === 'title' : field === 'body_markdown' || /posts/.test(field))
    const texts = draft.all.filter(({ field }) => fits(field)).map(({ text }) => lower(text))
    const count = texts.reduce((sum, text) => sum + findTerm(text, lower(term)).length, 0)
    const field = where === 'title' ? 'title' : 'body_markdown'
    const message = `"${term}" must stand here ${min === 1 ? 'once' : `${min} times`}; it does ${count} times`
    return count >= min ? [] : [about('CNT-BRD-REQUIRED', 'error', field, message)]
  })

const preferred: Rule = (draft) => {
  const lowered = lower(draft.prose.text)
  return draft.brand.terms.preferred.flatMap(({ use, instead_of: others }) => others.flatMap((other) =>
    findTerm(lowered, lower(other)).map(([start, end]) => found(draft, 'CNT-BRD-PREFERRED', 'warn', start, end,
      `The brand says "${use}"`, { suggestions: [use], fixable: true }))))
}

const casing: Rule = (draft) => {
  const { text } = draft.prose
  const lowered = lower(text)
  return draft.brand.terms.protected.flatMap((term) => findTerm(lowered, lower(term))
    .filter(([start, end]) => text.slice(start, end) !== term)
    .map(([start, end]) => found(draft, 'CNT-BRD-CASING', 'warn', start, end, `It is written "${term}"`,
      { suggestions: [term], fixable: true })))
}

const avoided: Rule = (draft) => {
  const lowered = lower(draft.prose.text)
  const notThere = (draft.brief?.must_include ?? [])
    .filter((text) => !draft.all.some((passage) => lower(passage.text).includes(lower(text))))
    .map((text) => about('CNT-BRD-MUST-INCLUDE', 'warn', 'body_markdown', `The brief asks for "${text}"`))
  return [...notThere, ...(draft.brief?.must_avoid ?? []).flatMap((text) => findTerm(lowered, lower(text))
    .map(([start, end]) => found(draft, 'CNT-BRD-MUST-AVOID', 'error', start, end, 'The brief rules this out')))]
}

export const termRules: Rule[] = [banned, required, preferred, casing, avoided]
