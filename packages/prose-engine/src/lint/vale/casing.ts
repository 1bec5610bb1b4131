import type { RE2JS } from 're2js'
import type { ValeRule } from '../../schemas/styles.js'

/** Words that a title leaves small, as AP and Chicago have it. */
const small = new Set(
  'a an and as at but by en for if in nor of on or per the to v via vs from with into so yet'.split(' '))

const word = /[\p{L}\p{N}][^\s]*/gu

const isUpper = (text: string): boolean => /^[^\p{L}]*\p{Lu}/u.test(text)

/** An exception is written as it is. */
const isFree = (one: string, except: RE2JS | undefined): boolean => except?.matcher(one).find() === true

/** Behind an indicator, such as a colon, and behind the number of a list, a sentence begins. */
const begins = (words: readonly string[], at: number, { indicators }: ValeRule): boolean =>
  at === 0 || indicators.some((end) => words[at - 1]?.endsWith(end)) || (at === 1 && /^\d+\.$/.test(words[0] ?? ''))

const shareOf = (words: readonly string[], isRight: (one: string, at: number) => boolean): number =>
  words.length === 0 ? 1 : words.filter(isRight).length / words.length

/** What an exception of several words names is written as it is. */
const withoutNames = (text: string, except: RE2JS | undefined): string =>
  except ? except.matcher(text).replaceAll('') : text

const titleShare = (text: string, except: RE2JS | undefined): number => {
  const words = text.match(word) ?? []
  return shareOf(words, (one, at) => isFree(one, except) || isUpper(one) ||
    (at > 0 && at < words.length - 1 && small.has(one.toLowerCase())))
}

/** As in Vale, an acronym that is no exception counts against a sentence. */
const sentenceShare = (text: string, rule: ValeRule, except: RE2JS | undefined): number => {
  const words = withoutNames(text, except).match(word) ?? []
  const isWhole = text.match(word)?.[0] === words[0]
  return shareOf(words, (one, at) => {
    if (isFree(one, except) || /^\p{N}/u.test(one) || /^I(?:$|['’])/.test(one) || (at === 0 && !isWhole)) return true
    return begins(words, at, rule) === isUpper(one)
  })
}

/** @returns whether a text is capitalised as a rule asks: by its share of words that are, or by its expression */
export const isCased = (rule: ValeRule, text: string, pattern: RE2JS | undefined,
  except: RE2JS | undefined): boolean => {
  switch (rule.match) {
    case '$title': return titleShare(text, except) > rule.threshold
    case '$sentence': return sentenceShare(text, rule, except) > rule.threshold
    case '$lower': return text === text.toLowerCase() || except?.matcher(text).find() === true
    case '$upper': return text === text.toUpperCase() || except?.matcher(text).find() === true
    default: return pattern?.matcher(text).find() === true || except?.matcher(text).find() === true
  }
}
