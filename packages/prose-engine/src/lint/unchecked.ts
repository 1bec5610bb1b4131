import { citingPassages } from '../claims/statements.js'
import type { BrandReport } from '../schemas/reports.js'
import { dictionaryFor } from './dictionaries.js'
import { isEnglish, type Draft } from './rule.js'

type Unchecked = NonNullable<BrandReport['unchecked']>

const aboutFacts = ({ brief, all, tree }: Draft): Unchecked => {
  if (!brief) return [{ what: 'facts', why: 'There is no brief: numbers, names and quotations were compared with nothing' }]
  if (brief.facts.length === 0) {
    return [{ what: 'facts', why: 'The brief has no facts: numbers and quotations were compared with its own words' }]
  }
  const citing = citingPassages(all, tree)
  const rest = all.filter((one) => !citing.has(one) && (one.kind === 'paragraph' || one.kind === 'item')).length
  return rest === 0
    ? []
    : [{ what: 'meaning', why: `${rest} of the paragraphs cite no fact: only their numbers and quotations were compared` }]
}

/** @returns what no rule looks at in this text, and why */
export const uncheckedIn = (draft: Draft): Unchecked => {
  const { locale, brand: { style } } = draft
  const hasDictionary = isEnglish(draft) || dictionaryFor(locale) !== undefined
  return [
    ...aboutFacts(draft),
    ...(/^de\b/.test(locale) ? [{ what: 'names' as const, why: 'In German a capital does not show a name' }] : []),
    ...(style.spelling === 'off'
      ? [{ what: 'spelling' as const, why: 'The brand has switched it off' }]
      : hasDictionary ? [] : [{ what: 'spelling' as const, why: `There is no dictionary for ${locale}` }]),
    { what: 'grammar' as const, why: 'No rule reads the grammar of a sentence' }
  ]
}
