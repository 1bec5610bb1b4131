import type { Level } from '../../../../schemas/pse/document.js'

/** Modal verbs with their level. Longer ones come first. */
type Modals = readonly (readonly [pattern: string, level: Level, negative: boolean])[]

const english: Modals = [
  ['must never', 'MUST', true], ['must not', 'MUST', true], ["mustn't", 'MUST', true], ['must', 'MUST', false],
  ['shall never', 'MUST', true], ['shall not', 'MUST', true], ['shall', 'MUST', false],
  ['should never', 'SHOULD', true], ['should not', 'SHOULD', true], ["shouldn't", 'SHOULD', true],
  ['should', 'SHOULD', false],
  ['(?:is|are) not allowed to', 'MUST', true], ['(?:is|are) required to', 'MUST', false],
  ['needs? to', 'MUST', false], ['ha(?:s|ve) to', 'MUST', false], ['ought to', 'SHOULD', false]
]
const englishWeak: Modals = [
  ['can not', 'MUST', true], ['cannot', 'MUST', true], ["can't", 'MUST', true], ['will not', 'MUST', true],
  ["won't", 'MUST', true], ['will', 'MUST', false], ['can', 'MUST', false], ['may', 'MAY', false],
  ['could', 'MAY', false]
]

interface Vocabulary { strong: Modals, weak: Modals }
const vocabularies: Record<string, Vocabulary> = {
  en: { strong: english, weak: englishWeak },
  de: {
    strong: [['(?:darf|dürfen) (?:nicht|kein\\p{L}*)', 'MUST', true], ['(?:muss|müssen)', 'MUST', false],
      ['(?:soll|sollen|sollte|sollten) nicht', 'SHOULD', true], ['(?:soll|sollen|sollte|sollten)', 'SHOULD', false]],
    weak: [['(?:kann|können)', 'MAY', false], ['(?:darf|dürfen)', 'MAY', false]]
  },
  fr: {
    strong: [['(?:doit|doivent) pas', 'MUST', true], ['(?:doit|doivent)', 'MUST', false],
      ['(?:devrait|devraient)', 'SHOULD', false]],
    weak: [['(?:peut|peuvent)', 'MAY', false]]
  },
  es: {
    strong: [['no (?:debe|deben)', 'MUST', true], ['(?:debe|deben)', 'MUST', false],
      ['(?:debería|deberían)', 'SHOULD', false]],
    weak: [['(?:puede|pueden)', 'MAY', false]]
  }
}

/** Keywords of statements by language, in capitals (RFC 2119 and 8174). */
const keywords: Record<string, RegExp> = {
  en: /\b(?:MUST|SHALL|SHOULD)(?: NOT)?\b|\b(?:REQUIRED|RECOMMENDED|OPTIONAL|MAY)\b/g,
  de: /(?<!\p{L})(?:MUSS|MÜSSEN|DARF|DÜRFEN|SOLL|SOLLEN|SOLLTE|SOLLTEN|KANN|KÖNNEN)(?: NICHT)?(?!\p{L})/gu,
  fr: /(?<!\p{L})(?:DOIT|DOIVENT|DEVRAIT|DEVRAIENT|PEUT|PEUVENT)(?: PAS)?(?!\p{L})/gu,
  es: /(?<!\p{L})(?:NO )?(?:DEBE|DEBEN|DEBERÍA|DEBERÍAN|PUEDE|PUEDEN)(?!\p{L})/gu
}

export const languageOf = (locale: string): string => {
  const language = locale.split('-')[0]?.toLowerCase() ?? 'en'
  return language in vocabularies ? language : 'en'
}

export interface Modal { word: string, level: Level, negative: boolean, start: number, end: number, weak: boolean }

const compile = (modals: Modals): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${modals.map(([word]) => `(${word})`).join('|')})(?![\\p{L}\\p{N}])`, 'giu')

const compiled = new Map<string, RegExp>()
const expression = (language: string, strength: keyof Vocabulary): RegExp => {
  const key = `${language}/${strength}`
  const held = compiled.get(key) ?? compile(vocabularies[language]?.[strength] ?? [])
  compiled.set(key, held)
  return held
}

const find = (text: string, language: string, strength: keyof Vocabulary): Modal[] =>
  [...text.matchAll(expression(language, strength))].map((match) => {
    const at = match.findIndex((group, index) => index > 0 && group !== undefined) - 1
    const [, level = 'MUST', negative = false] = vocabularies[language]?.[strength][at] ?? []
    const start = match.index
    return { word: match[0], level, negative, start, end: start + match[0].length, weak: strength === 'weak' }
  })

/** @returns the sentence's modal verbs in order; weak ones (can, may, will) only if `weak` is set */
export const modalsOf = (sentence: string, locale: string, weak: boolean): Modal[] => {
  const language = languageOf(locale)
  const found = find(sentence, language, 'strong')
  return weak ? [...found, ...find(sentence, language, 'weak')].sort((one, other) => one.start - other.start) : found
}

/** @returns the keywords in capitals of a statement */
export const keywordsOf = (statement: string, locale: string): string[] =>
  statement.match(keywords[languageOf(locale)] ?? /$^/g) ?? []

const levels: [RegExp, Level][] = [
  [/SHOULD|RECOMMENDED|SOLL|DEVRAI|DEBER/, 'SHOULD'], [/MAY|OPTIONAL|KANN|KÖNNEN|PEU|PUED/, 'MAY']
]

export const levelOfKeyword = (keyword: string): Level =>
  levels.find(([pattern]) => pattern.test(keyword))?.[1] ?? 'MUST'
