import type { BrandReport } from '../schemas/reports.js'
import type { UncheckedReason } from '../schemas/statements.js'
import { dictionaryFor } from './dictionaries.js'
import { isEnglish, type Draft } from './rule.js'

type Unchecked = NonNullable<BrandReport['unchecked']>

const whyOf: Record<Exclude<UncheckedReason, 'no_facts'>, string> = {
  cites_no_fact: 'cite no fact: only their numbers, dates and quotations were compared',
  not_judged: 'cite facts, but no model has judged them: numbers, dates, names, quotations and denials were compared',
  facts_changed: 'were judged by facts that have changed since'
}

const aboutMeaning = ({ brief, statements }: Draft): Unchecked => {
  if (!brief) return [{ what: 'facts', why: 'There is no brief: numbers, names and quotations were compared with nothing' }]
  if (brief.facts.length === 0) {
    return [{ what: 'facts', why: 'The brief has no facts: numbers and quotations were compared with its own words' }]
  }
  const of = (why: UncheckedReason) => statements.filter((one) => one.why === why).length
  return (Object.keys(whyOf) as (keyof typeof whyOf)[]).filter((why) => of(why) > 0) // The keys of the object above.
    .map((why) => ({ what: 'meaning', why: `${of(why)} of ${statements.length} statements ${whyOf[why]}` }))
}

/** @returns what no rule looks at in this text, and why */
export const uncheckedIn = (draft: Draft): Unchecked => {
  const { locale, brand: { style } } = draft
  const hasDictionary = isEnglish(draft) || dictionaryFor(locale) !== undefined
  return [
    ...aboutMeaning(draft),
    ...(/^de\b/.test(locale) ? [{ what: 'names' as const, why: 'In German a capital does not show a name' }] : []),
    ...(style.spelling === 'off'
      ? [{ what: 'spelling' as const, why: 'The brand has switched it off' }]
      : hasDictionary ? [] : [{ what: 'spelling' as const, why: `There is no dictionary for ${locale}` }]),
    { what: 'grammar' as const, why: 'No rule reads the grammar of a sentence' }
  ]
}
