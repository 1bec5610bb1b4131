import { beginsSentence, findName } from 'steward-prose-engine/lint'
import { keyOf } from 'steward-prose-engine/text'

const sorted = (all: string[]): string => all.sort().join(' ')

/** @returns the digits of each number: languages write separators in different ways */
const numbersOf = (text: string): string =>
  sorted((text.match(/\d+(?:[.,’'\u00a0\u202f]\d+)*/g) ?? []).map((number) => number.replace(/\D/g, '')))

const urlsOf = (text: string): string => sorted(text.match(/\bhttps?:\/\/[^\s)>\]]+/g) ?? [])

const headingsOf = (text: string): string => sorted((text.match(/^#{1,6}(?=\s)/gm) ?? []))

const quotesOf = (text: string): string =>
  sorted([...text.matchAll(/[“"„«]([^“”"„«»\n]+)[”"“»]/g)].map(({ 1: quote = '' }) => keyOf(quote))
    .filter((quote) => quote.split(' ').length >= 4))

/** @returns how often a name stands in the text, at least and at most: "Go" may be the verb that begins a sentence */
const timesOf = (text: string, name: string): { least: number, most: number } => {
  const all = findName(text, name)
  const isCertain = !/^\p{Lu}[\p{Ll}\p{N}]*$/u.test(name)
  return { least: isCertain ? all.length : all.filter(([at]) => !beginsSentence(text, at)).length, most: all.length }
}

const isSame = (source: string, translation: string, name: string): boolean => {
  const [there, here] = [timesOf(source, name), timesOf(translation, name)]
  return here.most >= there.least && there.most >= here.least
}

/** @returns the first name that one text has and the other lacks */
export const lostName = (before: string, after: string, names: readonly string[]): string | undefined =>
  names.find((name) => timesOf(before, name).least > 0 && timesOf(after, name).most === 0)

/** @returns what a translation changed and must not; undefined = nothing */
export const sameThings = (source: string, translation: string, names: readonly string[]): string | undefined => {
  if (numbersOf(source) !== numbersOf(translation)) return 'numbers differ'
  if (urlsOf(source) !== urlsOf(translation)) return 'addresses differ'
  if (headingsOf(source) !== headingsOf(translation)) return 'headings differ'
  if (quotesOf(source) !== quotesOf(translation)) return 'quotations differ'
  const name = names.find((one) => !isSame(source, translation, one))
  return name === undefined ? undefined : `the name ${name} differs`
}
