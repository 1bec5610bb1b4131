import { readLanguages, type ReadLanguage } from './language.js'
import type { Level } from '../schemas/document.js'

/** Modal verbs with their level. Longer ones come first. */
type Modals = readonly (readonly [pattern: string, level: Level, negative: boolean])[]

/** After "may not": a possibility, such as "may not represent what is in use". */
const possible = 'always|necessarily|even|yet|represent|reflect|know|want|notice|realize|realise|exist|have|need|fit|' +
  'match|work|be (?:able|available|accurate|ready|possible|obvious|aware|enough|sure|clear|suitable|the)'

const english: Modals = [
  ['(?:don[\'’]t|doesn[\'’]t|do not|does not|will not|won[\'’]t) (?:have|need) to', 'MAY', false],
  ['(?:not required|need not)(?: to)?', 'MAY', false],
  [`may not(?! (?:${possible}))`, 'MUST', true],
  ['may only(?! (?:be because|result|lead|cause|happen|occur|affect))', 'MUST', false],
  ['must never', 'MUST', true], ['must not', 'MUST', true], ["mustn't", 'MUST', true], ['must', 'MUST', false],
  ['shall never', 'MUST', true], ['shall not', 'MUST', true], ['shall', 'MUST', false],
  ['should never', 'SHOULD', true], ['should not', 'SHOULD', true], ["shouldn't", 'SHOULD', true],
  ['should', 'SHOULD', false],
  ['(?:is|are) not (?:allowed|permitted)(?: to)?', 'MUST', true],
  ['(?:is|are) (?:forbidden|prohibited)(?: to)?', 'MUST', true],
  ['(?:is|are) only (?:allowed|permitted)(?: to)?', 'MUST', false],
  ['(?:is|are)(?: \\p{L}{2,20}ly)? (?:required|requested|obliged) to', 'MUST', false],
  ['(?:is|are) to(?= be\\b)', 'MUST', false],
  ['(?<!\\b(?:the|no|any|a|pressing|real|urgent|clear|strong) )needs? to', 'MUST', false],
  ['ha(?:s|ve) to', 'MUST', false], ['ought to', 'SHOULD', false]
]
const englishWeak: Modals = [
  ['can not', 'MUST', true], ['cannot', 'MUST', true], ["can't", 'MUST', true], ['will not', 'MUST', true],
  ["won't", 'MUST', true], ['will', 'MUST', false],
  ['(?:is|are)(?: \\p{L}{2,20}ly)? (?:desirable|preferred)', 'SHOULD', false],
  ['(?:is|are) (?:mandatory|compulsory|obligatory)', 'MUST', false],
  ['can', 'MUST', false], ['may(?! \\d)', 'MAY', false],
  ['could', 'MAY', false]
]

/** "Buchungen sind 10 Jahre aufzubewahren", but not "ist nicht zu erwarten": the infinitive says it. */
const obliged = '(?<=(?<!\\p{L})(?:ist|sind|hat|haben) [^.;!?]{1,150} )(?:zu (?!erwarten|rechnen|sehen|finden|' +
  'erkennen|entnehmen|verstehen|beachten|befürchten|vermuten|\\p{L}+ )\\p{Ll}{2,25}(?:e[lr])?n|' +
  '(?!auszugehen|dazu)\\p{Ll}{2,10}zu(?!ng)\\p{Ll}{2,20}en)'

interface Vocabulary { strong: Modals, weak: Modals }
const vocabularies: Record<string, Vocabulary> = {
  en: { strong: english, weak: englishWeak },
  de: {
    strong: [['(?:darf|dürfen) (?:nicht|kein\\p{L}*)', 'MUST', true], ['(?:muss|müssen)', 'MUST', false],
      ['(?:soll|sollen|sollte|sollten) nicht', 'SHOULD', true], ['(?:soll|sollen|sollte|sollten)', 'SHOULD', false],
      ['(?:darf|dürfen)', 'MUST', false]],
    // "Patienten können absagen" names what the product makes possible, as "can" does in English.
    weak: [['(?:kann|können) (?:nicht|kein\\p{L}*)', 'MUST', true], ['(?:kann|können)', 'MUST', false],
      [obliged, 'MUST', false],
      ['(?<=(?:ist|sind) [^.;!?]{1,100} )(?:verpflichtend|zwingend|vorgeschrieben|obligatorisch)', 'MUST', false],
      ['(?:ist|sind) (?:ausgeschlossen|untersagt|verboten|unzulässig)', 'MUST', true]]
  },
  fr: {
    strong: [['ne (?:doit|doivent|devra|devront|pourra|pourront) pas', 'MUST', true],
      ['(?:doit|doivent|devra|devront) pas', 'MUST', true], ['(?:doit|doivent|devra|devront)', 'MUST', false],
      ['il (?:faut|faudra)', 'MUST', false], ['ne (?:devrait|devraient) pas', 'SHOULD', true],
      ['(?:devrait|devraient)', 'SHOULD', false]],
    // "Le système enverra un rapport": the future is the mood of a cahier des charges.
    weak: [['ne (?:peut|peuvent) pas', 'MUST', true], ['(?:est|sont) obligatoires?', 'MUST', false],
      ['(?:peut|peuvent|pourra|pourront)', 'MUST', false],
      ['(?!extra|ultra|contra|intra)\\p{L}{0,20}(?:[eiudtrv]ra|[eiudtrv]ront)', 'MUST', false]]
  },
  es: {
    strong: [['no (?:debe|deben|deberá|deberán|podrá|podrán)', 'MUST', true],
      ['no (?:debería|deberían)', 'SHOULD', true], ['(?:debe|deben|deberá|deberán)', 'MUST', false],
      ['(?:tiene|tienen|tendrá|tendrán) que', 'MUST', false], ['(?:debería|deberían)', 'SHOULD', false]],
    weak: [['no (?:puede|pueden)', 'MUST', true], ['(?:es|son) obligatori[oa]s?', 'MUST', false],
      ['(?:puede|pueden|podrá|podrán)', 'MUST', false], ['\\p{L}{1,20}rán?', 'MUST', false]]
  }
}

/** Keywords of statements by language, in capitals (RFC 2119 and 8174). */
const keywords: Record<string, RegExp> = {
  en: /\b(?:MUST|SHALL|SHOULD)(?: NOT)?\b|\b(?:REQUIRED|RECOMMENDED|OPTIONAL|MAY)\b/g,
  de: /(?<!\p{L})(?:MUSS|MÜSSEN|DARF|DÜRFEN|SOLL|SOLLEN|SOLLTE|SOLLTEN|KANN|KÖNNEN)(?: NICHT)?(?!\p{L})/gu,
  fr: /(?<!\p{L})(?:DOIT|DOIVENT|DEVRA|DEVRONT|DEVRAIT|DEVRAIENT|PEUT|PEUVENT)(?: PAS)?(?!\p{L})/gu,
  es: /(?<!\p{L})(?:NO )?(?:DEBE|DEBEN|DEBERÁ|DEBERÁN|DEBERÍA|DEBERÍAN|PUEDE|PUEDEN|PODRÁ|PODRÁN)(?!\p{L})/gu
}

export const languageOf = (locale: string): ReadLanguage => {
  const same = readLanguages.find((one) => one === locale)
  if (same) return same
  const language = locale.split('-')[0]?.toLowerCase()
  return readLanguages.find((one) => one === language) ?? 'en'
}

export interface Modal { word: string, level: Level, negative: boolean, start: number, end: number, weak: boolean }

const compile = (modals: Modals): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${modals.map(([word]) => `(${word})`).join('|')})(?![\\p{L}\\p{N}])`, 'giu')

const compiled = new Map<string, RegExp>()
const keyOf = (language: string, strength: keyof Vocabulary): string =>
  strength === 'strong' ? language : `${language}/${strength}`
const expression = (language: string, strength: keyof Vocabulary): RegExp => {
  const key = keyOf(language, strength)
  const held = compiled.get(key) ?? compile(vocabularies[language]?.[strength] ?? [])
  compiled.set(key, held)
  return held
}

/** Letters that each expression of a language contains: most sentences have none, and are not searched. */
const hints: Record<string, RegExp> = {
  en: /must|shall|should|have|ha[sd] |require|requested|obliged|need|may|allowed|permitted|forbidden|prohibited|to be|ought/i,
  'en/weak': /can|will|won|may|could|desirable|preferred|mandatory|compulsory|obligatory/i,
  de: /d[aü]rf|m[uü]ss|soll/i,
  fr: /doi|dev|fau|pourr/i,
  es: /deb|podr|tien|tendr/i
}

const search = (text: string, language: string, strength: keyof Vocabulary): Modal[] =>
  hints[keyOf(language, strength)]?.test(text) === false ? [] : match(text, language, strength)

/** "Sollte sich der Text erstrecken, setzt man …": a condition, not a demand. */
const conditional = /^(?:soll|sollen|sollte|sollten|muss|müssen|darf|dürfen) [^?]{1,300}, /iu

/** @returns whether a verb at the beginning of a German sentence opens a condition */
export const isCondition = (text: string, language: ReadLanguage): boolean =>
  language === 'de' && conditional.test(text)

const match = (text: string, language: string, strength: keyof Vocabulary): Modal[] =>
  [...text.matchAll(expression(language, strength))].map((match) => {
    const at = match.findIndex((group, index) => index > 0 && group !== undefined) - 1
    const [, level = 'MUST', negative = false] = vocabularies[language]?.[strength][at] ?? []
    const start = match.index
    return { word: match[0], level, negative, start, end: start + match[0].length, weak: strength === 'weak' }
  })

/** What was found in the last texts: the rules ask for those of one sentence several times. */
const recent = new Map<RegExp, Map<string, Modal[]>>()
const maxRecent = 32

const find = (text: string, language: string, strength: keyof Vocabulary): Modal[] => {
  const pattern = expression(language, strength)
  const known = recent.get(pattern) ?? new Map<string, Modal[]>()
  const held = known.get(text)
  if (held) return held
  const found = search(text, language, strength)
  if (known.size >= maxRecent) known.clear()
  recent.set(pattern, known.set(text, found))
  return found
}

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
  [/SHOULD|RECOMMENDED|SOLL|DEVRAI|DEBERÍA/, 'SHOULD'], [/MAY|OPTIONAL|KANN|KÖNNEN|PEU|PUED|PODR/, 'MAY']
]

export const levelOfKeyword = (keyword: string): Level =>
  levels.find(([pattern]) => pattern.test(keyword))?.[1] ?? 'MUST'
