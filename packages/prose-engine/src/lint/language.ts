import { about, lower, type Rule } from './rule.js'

/** Short words that stand in nearly every sentence of a language, and seldom in another's. */
const commonWords: Record<string, readonly string[]> = {
  en: ['the', 'and', 'of', 'to', 'is', 'that', 'with', 'for', 'you', 'are', 'this', 'it', 'from', 'have', 'your'],
  de: ['der', 'die', 'das', 'und', 'ist', 'nicht', 'mit', 'für', 'sie', 'ein', 'eine', 'auf', 'den', 'von', 'zu'],
  fr: ['le', 'la', 'les', 'et', 'est', 'des', 'une', 'dans', 'pour', 'que', 'vous', 'avec', 'sur', 'du', 'pas'],
  es: ['el', 'los', 'las', 'y', 'es', 'una', 'para', 'que', 'con', 'por', 'del', 'se', 'su', 'más', 'como'],
  it: ['il', 'gli', 'e', 'è', 'una', 'per', 'che', 'con', 'del', 'della', 'non', 'sono', 'più', 'di', 'nel'],
  nl: ['de', 'het', 'een', 'en', 'van', 'is', 'niet', 'met', 'voor', 'dat', 'zijn', 'op', 'aan', 'je', 'ook'],
  pt: ['o', 'os', 'as', 'e', 'é', 'uma', 'para', 'que', 'com', 'por', 'não', 'dos', 'da', 'em', 'mais']
}

const minChars = 200
/** The other language must have so many times as many common words. */
const margin = 2

const languageOf = (locale: string): string => locale.split('-')[0] ?? locale

/** Finds a text in another language than its record's; short texts and unknown languages are not checked. */
export const language: Rule = (draft) => {
  const own = languageOf(draft.locale)
  const { text } = draft.prose
  if (!(own in commonWords) || text.replace(/\s+/g, ' ').length < minChars) return []
  const words = lower(text).match(/\p{L}+/gu) ?? []
  const counts = Object.entries(commonWords).map(([name, common]) => {
    const known = new Set(common)
    return { name, count: words.filter((word) => known.has(word)).length }
  }).sort((one, other) => other.count - one.count)
  const [best] = counts
  const ours = counts.find(({ name }) => name === own)?.count ?? 0
  if (!best || best.name === own || best.count < margin * Math.max(ours, 3)) return []
  return [about('CNT-LOC-LANGUAGE', 'warn', 'body_markdown', `This reads like ${best.name}; the record says ${own}`)]
}
