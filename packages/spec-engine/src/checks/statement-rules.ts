import { parseEars } from '../engine/ears.js'
import { demandsIn, hintsIn, keywordsOf } from '../engine/words-that-demand.js'
import { languageOf, sentenceLanguage } from '../engine/language.js'
import { splitRange } from 'steward-document-reader/document'
import { numbersOf, wordsOf } from '../engine/words.js'
import { barNumbers } from './measures.js'
import { findMatches, statementRule, type Found, type Rule } from './view.js'
import {
  ability, absolutes, commonAcronyms, escapes, openEnds, participles, technologies, untimed, vague, verbs
} from './word-lists.js'

const maxWords = 40
const maxCharacters = 500

/** What two words that demand ask for is two things; what has none may still be one, in the words of its source. */
const keyword = statementRule({ id: 'PSE101', severity: 'warn', fix: 'model' }, ({ id, statement }, view) => {
  const usual = languageOf(view.document.settings.locale)
  const language = sentenceLanguage(statement, usual)
  const found = demandsIn(statement, language).map(({ word }) => word)
  const words = found.length > 0 ? found : keywordsOf(statement)
  if (words.length === 0 && hintsIn(statement, language).length > 0) return []
  if (words.length === 1) return []
  const message = words.length === 0
    ? 'No word that demands, such as SHALL, MUST, SHOULD or MAY'
    : `${words.length} words that demand (${words.join(', ')}): one requirement demands one thing`
  return [{ target: id, message }]
}, false)

const notation = statementRule({ id: 'PSE102', severity: 'info', fix: 'model' }, (requirement, { document }) => {
  const { id, statement, acceptance } = requirement
  const { notation: form } = document.settings
  const isFit = form === 'ears'
    ? parseEars(statement) !== undefined
    : form === 'gherkin' ? acceptance.some(({ when, then }) => when && then) : keywordsOf(statement).length > 0
  return isFit ? [] : [{ target: id, message: `The statement has none of the patterns of the notation ${form}` }]
})

const length = statementRule({ id: 'PSE103', severity: 'warn', fix: 'model' }, ({ id, statement }) => {
  const finding = (message: string): Found[] => [{ target: id, message }]
  const sentences = splitRange(statement, 0, statement.length).length
  if (sentences > 1) return finding(`${sentences} sentences: one requirement is one sentence`)
  if (statement.length > maxCharacters) return finding(`${statement.length} characters; at most ${maxCharacters}`)
  const words = wordsOf(statement).length
  return words > maxWords ? finding(`${words} words; at most ${maxWords}`) : []
}, false)

const vagueness = statementRule({ id: 'PSE104', severity: 'warn', fix: 'model' }, (requirement) =>
  numbersOf(requirement.statement).length > 0
    ? []
    : findMatches(requirement, vague, (word) => `“${word}” means something else to everybody: say how much`,
      {}))

/** Words with a slash that name one thing: media types, abbreviations, measures. */
const slashed = /\band\/or\b|(?<![\p{L}\p{N}/.:_-])\p{L}{2,30}\/\p{L}{2,30}(?![\p{L}\p{N}/._-])/giu
const isOneThing = (word: string): boolean =>
  /^(?:application|text|image|audio|video|multipart|font)\//i.test(word) || /^\p{Lu}{1,4}\/\p{Lu}{1,4}$/u.test(word) ||
  /\/(?:s|sec|second|min|minute|h|hour|day|week|month|year)$/i.test(word)

const slashes = statementRule({ id: 'PSE109', severity: 'warn', fix: 'model' }, (requirement) =>
  findMatches(requirement, slashed, (word) => `“${word}”: and, or, or both?`)
    .filter(({ quote = '' }) => /^and\/or$/i.test(quote) || !isOneThing(quote)))

const joined = statementRule({ id: 'PSE108', severity: 'warn', fix: 'model' }, ({ id, statement }) => {
  const response = parseEars(statement)?.response ?? ''
  const [first = ''] = wordsOf(response)
  const second = [...response.matchAll(/\b(?:and|or)(?: then| also)? (\p{L}+)/giu)]
    .map(({ 1: word = '' }) => word.toLowerCase()).find((word) => verbs.has(word))
  return verbs.has(first) && second !== undefined && second !== first
    ? [{ target: id, message: `Two actions, ${first} and ${second}: two requirements`, quote: `${first} … ${second}` }]
    : []
})

const pronoun = /^(?:it|this|that|they|these|those|he|she|we|i|you)$/i

const subjects = statementRule({ id: 'PSE110', severity: 'warn', fix: 'model' }, ({ id, statement }) => {
  const subject = parseEars(statement)?.subject ?? statement.slice(0, statement.indexOf(' '))
  return pronoun.test(subject)
    ? [{ target: id, message: `“${subject}” stands for something that the statement does not name`, quote: subject }]
    : []
})

const passive = /\b(?:SHALL|MUST|SHOULD|MAY)(?: NOT)? be (?:\p{L}+ly )?(\p{L}+)/giu

const voices = statementRule({ id: 'PSE111', severity: 'warn', fix: 'model' }, (requirement) =>
  findMatches(requirement, passive, (words) => `“${words}”: who does it?`).filter(({ quote = '' }) => {
    const verb = quote.split(' ').at(-1)?.toLowerCase() ?? ''
    return participles.has(verb) || (/[^e]ed$/.test(verb) && verb.length > 4)
  }))

const units = statementRule({ id: 'PSE112', severity: 'warn', fix: 'model' }, ({ id, statement }) =>
  barNumbers(statement).map(({ start, end }) => ({
    target: id,
    message: `${statement.slice(start, end)} of what?`,
    quote: statement.slice(start, end),
    span: { start, end }
  })))

const unmeasured = statementRule({ id: 'PSE113', severity: 'warn', fix: 'human' },
  ({ id, kind, statement, acceptance }) => {
    const texts = [statement, ...acceptance.flatMap(({ given, when, then }) => [given, when, then])]
    return kind === 'quality' && !texts.some((text) => numbersOf(text).length > 0)
      ? [{ target: id, message: 'A quality without a number cannot be tested' }]
      : []
  }, false)

const technology = statementRule({ id: 'PSE115', severity: 'warn', fix: 'model' }, (requirement, { document }) =>
  document.settings.implementation_free
    ? findMatches(requirement, technologies, (word) => `${word} is a way to build it, not what is demanded`)
    : [])

const acronym = /(?<![\p{L}\p{N}-])\p{Lu}{2,6}(?![\p{L}\p{N}-])/gu

const acronyms: Rule = {
  id: 'PSE117',
  severity: 'warn',
  fix: 'model',
  find: ({ glossary, active, isEnglish }) => {
    if (!isEnglish) return []
    const known = new Set(glossary.flatMap(({ term, aliases }) => [term, ...aliases])
      .map((term) => term.toUpperCase()))
    const seen = new Map<string, Found>()
    for (const one of active) {
      // A mark of spec-kit is no word of the statement.
      const statement = one.statement.replace(/\[NEEDS CLARIFICATION:/g, (mark) => ' '.repeat(mark.length))
      const found = findMatches({ ...one, statement }, acronym, (word) => `The glossary does not say what ${word} is`)
      for (const match of found) if (!seen.has(match.quote ?? '')) seen.set(match.quote ?? '', match)
    }
    return [...seen].filter(([word]) => !known.has(word) && !commonAcronyms.has(word)).map(([, match]) => match)
  }
}

export const statementRules: Rule[] = [
  keyword, notation, length, vagueness,
  statementRule({ id: 'PSE105', severity: 'warn', fix: 'model' }, (one) =>
    findMatches(one, escapes, (words) => `“${words}” leaves open whether it is demanded`)),
  statementRule({ id: 'PSE106', severity: 'warn', fix: 'model' }, (one) =>
    findMatches(one, openEnds, (words) => `“${words}” leaves open what else is demanded`)),
  statementRule({ id: 'PSE107', severity: 'warn', fix: 'deterministic' }, (one) =>
    findMatches(one, ability, (words) => `“${words}”: say what is done, not that it can be`)),
  joined, slashes, subjects, voices, units, unmeasured,
  statementRule({ id: 'PSE114', severity: 'info', fix: 'model' }, (one) =>
    findMatches(one, absolutes, (word) => `“${word}”: is there truly no exception?`)),
  technology,
  statementRule({ id: 'PSE116', severity: 'warn', fix: 'model' }, (one) =>
    findMatches(one, untimed, (word) => `“${word}” is no time: give a number`)),
  acronyms
]
