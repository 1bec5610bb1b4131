import { findName } from '../../lint/names.js'
import { beginsSentence } from '../../lint/sentence-start.js'
import { keyOf } from '../../lint/facts.js'

const sorted = (all: string[]): string => all.sort().join(' ')

/** Digits alone: languages write separators in different ways. */
const numbersOf = (text: string): string =>
  sorted((text.match(/\d+(?:[.,’'\u00a0\u202f]\d+)*/g) ?? []).map((number) => number.replace(/\D/g, '')))

const urlsOf = (text: string): string => sorted(text.match(/\bhttps?:\/\/[^\s)>\]]+/g) ?? [])

const headingsOf = (text: string): string => sorted((text.match(/^#{1,6}(?=\s)/gm) ?? []))

const quotesOf = (text: string): string =>
  sorted([...text.matchAll(/[“"„«]([^“”"„«»\n]+)[”"“»]/g)].map(({ 1: quote = '' }) => keyOf(quote))
    .filter((quote) => quote.split(' ').length >= 4))

/** At the beginning of a sentence "Go" may be the verb: the least and the most that a name may stand there. */
const timesOf = (text: string, name: string): { least: number, most: number } => {
  const all = findName(text, name)
  const isCertain = !/^\p{Lu}[\p{Ll}\p{N}]*$/u.test(name)
  return { least: isCertain ? all.length : all.filter(([at]) => !beginsSentence(text, at)).length, most: all.length }
}

const isSame = (source: string, translation: string, name: string): boolean => {
  const [there, here] = [timesOf(source, name), timesOf(translation, name)]
  return here.most >= there.least && there.most >= here.least
}

/** @returns the first of the names that stands in a text and not in another one */
export const lostName = (before: string, after: string, names: readonly string[]): string | undefined =>
  names.find((name) => timesOf(before, name).least > 0 && timesOf(after, name).most === 0)

/** @returns what a translation changed that no translation changes; undefined = nothing */
export const sameThings = (source: string, translation: string, names: readonly string[]): string | undefined => {
  if (numbersOf(source) !== numbersOf(translation)) return 'numbers differ'
  if (urlsOf(source) !== urlsOf(translation)) return 'addresses differ'
  if (headingsOf(source) !== headingsOf(translation)) return 'headings differ'
  if (quotesOf(source) !== quotesOf(translation)) return 'quotations differ'
  const name = names.find((one) => !isSame(source, translation, one))
  return name === undefined ? undefined : `the name ${name} differs`
}
