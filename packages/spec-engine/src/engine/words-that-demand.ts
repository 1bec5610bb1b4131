import type { Level } from '../schemas/document.js'
import type { ReadLanguage } from './language.js'

/**
 * Words by which a sentence demands, as data. `sure` demand wherever they stand; `hint` speak for it, and a person
 * decides. Longer ones come first.
 */
type Words = readonly (readonly [pattern: string, level: Level])[]

const words: Record<ReadLanguage, { sure: Words, hint: Words }> = {
  en: {
    sure: [['must(?: not| never)?', 'MUST'], ['shall(?: not| never)?', 'MUST'], ['(?:is|are) required to', 'MUST'],
      ['(?:is|are) (?:prohibited|forbidden|not (?:allowed|permitted))', 'MUST'], ['may only', 'MUST'],
      ['should(?: not| never|n[\'’]t)?', 'SHOULD']],
    hint: [['ha(?:s|ve) to', 'MUST'], ['needs? to', 'MUST'], ['(?:is|are) to be', 'MUST'], ['ought to', 'SHOULD'],
      ['may not', 'MUST'], ['may', 'MAY'], ['will(?: not)?', 'MUST'], ['won[\'’]t', 'MUST'],
      ['can(?:not|[\'’]t)?', 'MUST'], ['could', 'MAY'], ['(?:is|are) (?:mandatory|compulsory)', 'MUST'],
      ['(?:is|are) (?:desirable|preferred)', 'SHOULD'], ['please', 'SHOULD']]
  },
  de: {
    sure: [['(?:darf|dürfen)(?: nicht| kein\\p{L}*)?', 'MUST'], ['(?:muss|müssen)', 'MUST'],
      ['(?:soll|sollen|sollte|sollten)(?: nicht)?', 'SHOULD']],
    hint: [['(?:kann|können)', 'MUST'], ['(?:ist|sind|hat|haben)(?= [^.;!?]{1,150} zu \\p{Ll}{2,25}n(?!\\p{L}))', 'MUST'],
      ['(?:verpflichtend|zwingend|untersagt|verboten|unzulässig)', 'MUST'], ['bitte', 'SHOULD']]
  },
  fr: {
    sure: [['(?:doit|doivent|devra|devront)(?: pas)?', 'MUST'], ['il (?:faut|faudra)', 'MUST'],
      ['(?:devrait|devraient)', 'SHOULD']],
    hint: [['(?:peut|peuvent|pourra|pourront)', 'MUST'], ['(?:est|sont) obligatoires?', 'MUST'],
      ['\\p{L}{2,20}(?:era|eront|ira|iront|dra|dront|tra|tront)', 'MUST']]
  },
  es: {
    sure: [['(?:debe|deben|deberá|deberán)', 'MUST'], ['(?:tiene|tienen|tendrá|tendrán) que', 'MUST'],
      ['(?:debería|deberían)', 'SHOULD']],
    hint: [['(?:puede|pueden|podrá|podrán)', 'MUST'], ['(?:es|son) obligatori[oa]s?', 'MUST'],
      ['\\p{L}{2,20}rán?', 'MUST']]
  }
}

/** A word that demands, and where it stands. */
export interface Demand { word: string, level: Level, start: number, end: number }

const compile = (list: Words): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${list.map(([word]) => `(${word})`).join('|')})(?![\\p{L}\\p{N}])`, 'giu')

const compiled = new Map<Words, RegExp>()

const find = (text: string, list: Words): Demand[] => {
  const pattern = compiled.get(list) ?? compile(list)
  compiled.set(list, pattern)
  return [...text.matchAll(pattern)].map((match) => {
    const at = match.findIndex((group, index) => index > 0 && group !== undefined) - 1
    return { word: match[0], level: list[at]?.[1] ?? 'MUST', start: match.index, end: match.index + match[0].length }
  })
}

/** @returns the words that demand, in order */
export const demandsIn = (text: string, language: ReadLanguage): Demand[] => find(text, words[language].sure)
/** @returns the words that speak for a demand, in order */
export const hintsIn = (text: string, language: ReadLanguage): Demand[] => find(text, words[language].hint)

/** Keywords of RFC 2119 and 8174, and the same in other languages, in capitals. */
const keywords = /(?<![\p{L}_-])(?:(?:MUST|SHALL|SHOULD)(?: NOT)?|REQUIRED|RECOMMENDED|OPTIONAL|MAY|MUSS|MÜSSEN|DARF|DÜRFEN|SOLL|SOLLEN|SOLLTE|SOLLTEN|KANN|KÖNNEN|DOIT|DOIVENT|DEVRA|DEVRONT|DEVRAIT|DEVRAIENT|PEUT|PEUVENT|DEBE|DEBEN|DEBERÁ|DEBERÁN|DEBERÍA|DEBERÍAN|PUEDE|PUEDEN)(?![\p{L}_-])/gu

/** @returns the keywords in capitals of a text */
export const keywordsOf = (text: string): string[] => text.match(keywords) ?? []

export const levelOfKeyword = (keyword: string): Level => {
  if (/SHOULD|RECOMMENDED|SOLL|DEVRAI|DEBERÍA/.test(keyword)) return 'SHOULD'
  return /MAY|OPTIONAL|KANN|KÖNNEN|PEU|PUED/.test(keyword) ? 'MAY' : 'MUST'
}

/** @returns how binding a statement is by its own words; MUST where it has none */
export const levelIn = (text: string, language: ReadLanguage): Level => {
  const [keyword] = keywordsOf(text)
  if (keyword !== undefined) return levelOfKeyword(keyword)
  return (demandsIn(text, language)[0] ?? hintsIn(text, language)[0])?.level ?? 'MUST'
}

/** @returns about how many demands a text has, to size the work before it is read */
export const countDemands = (text: string, language: ReadLanguage): number => demandsIn(text, language).length
