import { findTerm } from '../../lint/rule.js'
import { keyOf } from '../../lint/facts.js'

const sorted = (all: string[]): string => all.sort().join(' ')

/** Digits alone: languages write separators in different ways. */
const numbersOf = (text: string): string =>
  sorted((text.match(/\d+(?:[.,’'\u00a0\u202f]\d+)*/g) ?? []).map((number) => number.replace(/\D/g, '')))

const urlsOf = (text: string): string => sorted(text.match(/\bhttps?:\/\/[^\s)>\]]+/g) ?? [])

const headingsOf = (text: string): string => sorted((text.match(/^#{1,6}(?=\s)/gm) ?? []))

const quotesOf = (text: string): string =>
  sorted([...text.matchAll(/[“"„«]([^”"“»\n]+)[”"“»]/g)].map(({ 1: quote = '' }) => keyOf(quote))
    .filter((quote) => quote.split(' ').length >= 4))

/** @returns what a translation changed that no translation changes; undefined = nothing */
export const sameThings = (source: string, translation: string, names: readonly string[]): string | undefined => {
  if (numbersOf(source) !== numbersOf(translation)) return 'numbers differ'
  if (urlsOf(source) !== urlsOf(translation)) return 'addresses differ'
  if (headingsOf(source) !== headingsOf(translation)) return 'headings differ'
  if (quotesOf(source) !== quotesOf(translation)) return 'quotations differ'
  const name = names.find((one) => findTerm(source, one).length !== findTerm(translation, one).length)
  return name === undefined ? undefined : `the name ${name} differs`
}
